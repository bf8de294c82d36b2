/**
 * What to do when a run loses its device in the middle. Without a word a person at a terminal is asked, and nobody else is moved to
 * another engine.
 */
export const lossPolicies = ['stop', 'continue'] as const
export type LossPolicy = (typeof lossPolicies)[number]

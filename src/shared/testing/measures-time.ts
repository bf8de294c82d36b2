/**
 * For tests that hold the program to a time, and for no others: a machine that is lent may stall for a moment. They run one
 * file after the other with nothing beside them (project `timing` of vitest.config.ts).
 */
export const measuresTime = { retry: 2 } as const

import type { SessionConfig } from './engine'

/** A session for single iterations: it never stops by itself, counts nothing that is not asked for, and times nothing. */
export function plainSession(
  variant: SessionConfig['variant'],
  config: Partial<SessionConfig> & { readonly k: number },
): SessionConfig {
  return {
    variant,
    stop: 'none',
    threshold: 0,
    empty: 'keep',
    timing: 'total',
    trackChanged: false,
    trackInertia: false,
    trackCentroids: false,
    ...config,
  }
}

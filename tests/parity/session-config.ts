import type { SessionConfig } from '@engine/engines/engine'
import { plainSession } from '@engine/engines/session-config'
import type { VariantId } from '@shared/variant'

/** A session that counts everything and never stops by itself. */
export function sessionConfig(
  variant: VariantId,
  config: Partial<SessionConfig> & { readonly k: number },
): SessionConfig {
  return plainSession(variant, {
    trackChanged: true,
    trackInertia: true,
    trackCentroids: true,
    ...config,
  })
}

import type { SessionLook, SessionRun } from '@shared/session'
import type { ClusterLook, ClusterLooks, ColourSlots } from '@/plots/palette'

/** Names and colours of the clusters of a run, as a session keeps them. */
export function looksTo(looks: ClusterLooks, slots: ColourSlots | null): Pick<SessionRun, 'looks' | 'slots'> {
  const kept = [...looks].map(([cluster, { name, colour }]): SessionLook => ({
    cluster,
    ...(name !== undefined && { name }),
    ...(colour !== undefined && { colour }),
  }))
  return { looks: kept, slots }
}

/** The way back. */
export function looksFrom(looks: readonly SessionLook[]): ClusterLooks {
  return new Map(
    looks.map(({ cluster, name, colour }): [number, ClusterLook] => [
      cluster,
      { ...(name !== undefined && { name }), ...(colour !== undefined && { colour }) },
    ]),
  )
}

/** Cluster colours are the same in the window and in what it writes. */
export * from '@shared/cluster-colours'

/** What is looked at in the Profiles view; kept while other views are shown. */
import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { ProfileUnits } from '@/plots/profile/profile'

export const profileParts = ['summary', 'statistics', 'plots', 'silhouettes', 'matrix', 'classes'] as const
export type ProfilePart = (typeof profileParts)[number]

export const statistics = ['mean', 'spread', 'quartiles', 'range'] as const
export type Statistic = (typeof statistics)[number]

export const featureOrders = ['distinctive', 'file'] as const
export type FeatureOrder = (typeof featureOrders)[number]

export const useProfileChoicesStore = defineStore('profile-choices', () => {
  const part = ref<ProfilePart>('summary')
  const units = ref<ProfileUnits>('file')
  const statistic = ref<Statistic>('mean')
  const order = ref<FeatureOrder>('distinctive')
  /** Names of the features that are plotted; null: those on which the clusters differ most. */
  const features = shallowRef<readonly string[] | null>(null)
  /** Column that the clusters are crossed with; null: the first. */
  const column = ref<number | null>(null)

  return { part, units, statistic, order, features, column }
})

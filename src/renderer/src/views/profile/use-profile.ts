/** The profile of the result on screen with what is chosen of it. */
import { computed } from 'vue'
import { paletteOf } from '@/plots/palette'
import { byContrast } from '@/plots/profile/profile'
import { useDatasetStore } from '@/stores/dataset'
import { useLooksStore } from '@/stores/looks'
import { useProfileChoicesStore } from '@/stores/profile-choices'
import { useProfileStore } from '@/stores/profile'

/** Plotted where nobody has chosen. */
const usualFeatures = 6

export function useProfile() {
  const choices = useProfileChoicesStore()
  const dataset = useDatasetStore()
  const looks = useLooksStore()
  const store = useProfileStore()

  const profile = computed(() => store.profile)
  const palette = computed(() => {
    const record = store.of
    return record ? looks.paletteFor(record) : paletteOf(1)
  })
  const distinctive = computed(() => (profile.value ? byContrast(profile.value) : []))
  /** Positions, in the order of the file. @param usual how many where nobody has chosen */
  function chosenOr(usual: number): readonly number[] {
    const names = profile.value?.features ?? []
    const { features } = choices
    const own = names.flatMap((name, at) => (features?.includes(name) ? at : []))
    return own.length > 0 ? own : distinctive.value.slice(0, usual).sort((a, b) => a - b)
  }
  const chosen = computed(() => chosenOr(usualFeatures))
  const fileName = computed(() => dataset.summary?.file.name ?? '')
  return { profile, palette, distinctive, chosen, chosenOr, fileName }
}

import type { Translated } from '@shared/locale/messages'
import type en from '../en/status'

export default {
  ready: 'Gotowe',
} satisfies Translated<typeof en>

import type { Translated } from '@shared/locale/messages'
import type en from '../en/status'

export default {
  ready: 'Pronto',
} satisfies Translated<typeof en>

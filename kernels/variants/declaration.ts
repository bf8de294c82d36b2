import type { VariantDeclaration } from '@shared/variant-declaration'

/** Types a variant's declaration without widening it. */
export function defineVariant<const T extends VariantDeclaration>(declaration: T): T {
  return declaration
}

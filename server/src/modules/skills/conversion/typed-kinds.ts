/** Kinds of Achilles skills. */
export const typedKinds = [
  'skill',
  'cskill',
  'cgskill',
  'dcgskill',
  'iskill',
  'mskill',
  'oskill',
  'tskill',
] as const;
export type TypedKind = (typeof typedKinds)[number];

/** Whether the model writes the code of such a skill on each call. */
export function generates(kind: TypedKind): boolean {
  return kind === 'cgskill' || kind === 'dcgskill';
}

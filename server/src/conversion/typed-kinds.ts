/** What Achilles calls the kinds of its skills. */
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

/** Whether a model writes the code of such a skill when it is called. */
export function generates(kind: TypedKind): boolean {
  return kind === 'cgskill' || kind === 'dcgskill';
}

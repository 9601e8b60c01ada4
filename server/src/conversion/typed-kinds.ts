/** What Achilles calls the kinds of its skills. */
export type TypedKind =
  | 'skill'
  | 'cskill'
  | 'cgskill'
  | 'dcgskill'
  | 'iskill'
  | 'mskill'
  | 'oskill'
  | 'tskill';

/** Whether a model writes the code of such a skill when it is called. */
export function generates(kind: TypedKind): boolean {
  return kind === 'cgskill' || kind === 'dcgskill';
}

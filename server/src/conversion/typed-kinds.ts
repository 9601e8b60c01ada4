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

/** Dialogs about whole files. */
export type FileTask =
  | { kind: 'add'; folder: string }
  | { kind: 'upload'; folder: string; files: readonly File[] }
  | { kind: 'move'; path: string }
  | { kind: 'delete'; path: string };

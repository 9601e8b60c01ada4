import { nameOf } from '../names.ts';

/** The name of a conversation folder. */
export const folderName = nameOf(80);

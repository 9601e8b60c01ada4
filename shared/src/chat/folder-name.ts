import { nameOf } from '../names.ts';

/** What a folder of conversations may be called. */
export const folderName = nameOf(80);

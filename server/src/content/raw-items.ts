import type { RawConfig } from './raw-config.ts';

/** An app, group, model or prompt as it is. */
export interface RawItem {
  id: string;
  /** Its file, relative to `contents/`. */
  path: string;
  /** Undefined when it is not a JSON object. */
  config: RawConfig | undefined;
  /** The text of the item; the whole file's when it is not JSON. */
  text: string;
}

/** All items of one kind, wherever they are kept. The caller sees to it that one write runs at a time. */
export interface RawItems {
  list(): Promise<RawItem[]>;
  /** Takes what is of the right shape. Throws a problem where it does not fit with the others. */
  write(id: string, config: RawConfig, found: RawItem | undefined): Promise<void>;
  remove(found: RawItem): Promise<void>;
}

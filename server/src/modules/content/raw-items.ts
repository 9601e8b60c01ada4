import type { RawConfig } from './raw-config.ts';

/** An app, group, model or prompt as stored. */
export interface RawItem {
  id: string;
  /** Its file, relative to `contents/`. */
  path: string;
  /** Undefined if it is not a JSON object. */
  config: RawConfig | undefined;
  /** Text of the item; of the whole file if that is not JSON. */
  text: string;
}

/** All items of one kind, regardless of how they are stored. The caller must serialise writes. */
export interface RawItems {
  list(): Promise<RawItem[]>;
  /** Stores a configuration that matches the schema. Throws a problem on conflicts. */
  write(id: string, config: RawConfig, found: RawItem | undefined): Promise<void>;
  remove(found: RawItem): Promise<void>;
}

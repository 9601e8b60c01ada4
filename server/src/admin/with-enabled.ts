import { isRecord } from '@knowhow/shared/is-record';
import type { RawConfig } from '../content/raw-config.ts';

/** `config/skills.json` with these skills switched on or off. */
export function withEnabled(raw: RawConfig, names: readonly string[], enabled: boolean): RawConfig {
  const entries = new Map(Object.entries(isRecord(raw.skills) ? raw.skills : {}));
  for (const name of names) {
    const known = entries.get(name);
    entries.set(name, { ...(isRecord(known) ? known : {}), enabled });
  }
  return { ...raw, skills: Object.fromEntries(entries) };
}

import type { Settings, SettingsFile } from '@knowhow/shared/config/admin-settings';
import { isRecord } from '@knowhow/shared/is-record';
import { platformFile, skillsFile } from '../../content/config-file.ts';
import { checksumOf } from '../../content/config-item.ts';
import type { Contents } from '../../content/contents.ts';
import type { RawConfig } from '../../content/raw-config.ts';
import type { ContentWriter } from '../../content/write-contents.ts';
import { isLoopbackHost } from '../../lib/is-loopback-host.ts';

/** What the environment says of settings. */
export interface SettingsOfEnvironment {
  /** What the server listens on. */
  host: string;
  turnIdleMinutes: number;
  traceDays: number;
  /** SCRIPT_RUNNER is not `off`. */
  runsScripts: boolean;
}

interface Dependencies {
  contents: () => Contents;
  contentWriter: ContentWriter;
  environment: SettingsOfEnvironment;
}

const settingsFile = { platform: platformFile, skills: skillsFile } as const;

/** The settings as they are in their file: placeholders are kept, and so are unknown fields. */
export async function readSettings(
  id: SettingsFile,
  { contents, contentWriter, environment }: Dependencies,
): Promise<Settings> {
  const file = await contentWriter.readFile(settingsFile[id].path);
  const path = `contents/${settingsFile[id].path}`;
  const config = file ? file.config && settingsIn(id, file.config) : {};
  const text = config ? JSON.stringify(config, null, 2) : (file?.text ?? '');
  const found = contents().faults.find((fault) => fault.path === path);
  return {
    ...{ id, path, text },
    ...(config ? { config } : {}),
    checksum: settingsChecksum(config, text),
    ...(found ? { fault: { field: fieldIn(id, found.field), message: found.message } } : {}),
    environment: saidOf(id, environment),
  };
}

/** Of what is said. Without settings it is that of an empty object. */
export function settingsChecksum(config: RawConfig | undefined, text = ''): string {
  return checksumOf({ id: '', path: '', config, text });
}

/** The part of a file that holds the settings. */
export function settingsIn(id: SettingsFile, config: RawConfig): RawConfig {
  const part = id === 'skills' ? (config.settings ?? {}) : config;
  return isRecord(part) ? part : {};
}

function fieldIn(id: SettingsFile, field: string | undefined): string | undefined {
  return id === 'skills' ? field?.replace(/^settings\./, '') : field;
}

function saidOf(
  id: SettingsFile,
  { host, turnIdleMinutes, traceDays, runsScripts }: SettingsOfEnvironment,
): Settings['environment'] {
  if (id === 'skills') {
    const variable = 'SCRIPT_RUNNER';
    const value = 'off';
    return runsScripts ? [] : [{ path: 'allowScriptExecution', variable, value, wins: true }];
  }
  const instead = { wins: false };
  return [
    {
      ...{ path: 'anonymousAuth.enabled', variable: 'HOST' },
      ...{ value: String(isLoopbackHost(host)), ...instead },
    },
    {
      ...{ path: 'turns.idleMinutes', variable: 'TURN_IDLE_MINUTES' },
      ...{ value: String(turnIdleMinutes), ...instead },
    },
    { path: 'traces.days', variable: 'TRACE_DAYS', value: String(traceDays), ...instead },
  ];
}

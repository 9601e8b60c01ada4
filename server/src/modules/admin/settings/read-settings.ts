import type { Settings, SettingsFile } from '@knowhow/shared/config/admin-settings';
import { isRecord } from '@knowhow/shared/is-record';
import { isLoopbackHost } from '../../../platform/lib/is-loopback-host.ts';
import {
  type Contents,
  type ContentWriter,
  computeChecksum,
  platformFile,
  type RawConfig,
  skillsFile,
} from '../../content/index.ts';

/** Environment variables that affect settings. */
export interface SettingsOfEnvironment {
  /** The address that the server listens on. */
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

/** The settings as in their file: with unresolved placeholders and unknown fields. */
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
    id,
    path,
    text,
    ...(config ? { config } : {}),
    checksum: settingsChecksum(config, text),
    ...(found ? { fault: { field: fieldIn(id, found.field), message: found.message } } : {}),
    environment: environmentFields(id, environment),
  };
}

/** Checksum of the settings; without any, that of an empty object. */
export function settingsChecksum(config: RawConfig | undefined, text = ''): string {
  return computeChecksum({ id: '', path: '', config, text });
}

/** The part of a file with the settings. */
export function settingsIn(id: SettingsFile, config: RawConfig): RawConfig {
  const part = id === 'skills' ? (config.settings ?? {}) : config;
  return isRecord(part) ? part : {};
}

function fieldIn(id: SettingsFile, field: string | undefined): string | undefined {
  return id === 'skills' ? field?.replace(/^settings\./, '') : field;
}

function environmentFields(
  id: SettingsFile,
  { host, turnIdleMinutes, traceDays, runsScripts }: SettingsOfEnvironment,
): Settings['environment'] {
  if (id === 'skills') {
    const variable = 'SCRIPT_RUNNER';
    const value = 'off';
    return runsScripts ? [] : [{ path: 'allowScriptExecution', variable, value, wins: true }];
  }
  const asDefault = { wins: false };
  return [
    {
      path: 'anonymousAuth.enabled',
      variable: 'HOST',
      value: String(isLoopbackHost(host)),
      ...asDefault,
    },
    {
      path: 'turns.idleMinutes',
      variable: 'TURN_IDLE_MINUTES',
      value: String(turnIdleMinutes),
      ...asDefault,
    },
    { path: 'traces.days', variable: 'TRACE_DAYS', value: String(traceDays), ...asDefault },
  ];
}

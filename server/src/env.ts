import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { Cron } from 'croner';
import { z } from 'zod';
import { readTelemetrySettings, type TelemetrySettings } from './modules/insights/index.ts';
import { parseModelHost } from './modules/models/index.ts';
import {
  defaultScanLimits,
  defaultSizeLimits,
  maxSizeLimits,
  type ScanLimits,
  type SizeLimits,
} from './modules/skills/index.ts';
import {
  missingRunnerVariable,
  type RunnerSettings,
  readRunnerSettings,
  runnerVariables,
} from './modules/tools/index.ts';
import {
  type MailConnection,
  parseMailSettings,
  parseSender,
  parseSmtpUrl,
} from './platform/lib/smtp-address.ts';

/** Named ranges supported by Express. */
const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/**
 * Whether a value is valid for TRUST_PROXY: true, false, a number of proxies, or their addresses.
 */
function isTrustProxy(value: string): boolean {
  return (
    /^(true|false|\d{1,3})$/.test(value) ||
    value.split(',').every((proxy) => proxyNames.includes(proxy.trim()) || isRange(proxy.trim()))
  );
}

/**
 * An address or a CIDR range such as `10.0.0.0/8`. `/0` is rejected, since it would trust everyone.
 */
function isRange(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const version = isIP(address);
  const max = version === 4 ? 32 : 128;
  return (
    version !== 0 &&
    more.length === 0 &&
    !address.includes('%') &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= max))
  );
}

function parseTrustProxy(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') {
    return value === 'true';
  }
  return /^\d+$/.test(value) ? Number(value) : value;
}

/** The parsed environment: directories are absolute, flags are booleans. */
export interface Environment {
  port: number;
  host: string;
  contentsDirectory: string;
  dataDirectory: string;
  /** PostgreSQL URL; undefined for SQLite in the data folder. */
  databaseUrl: string | undefined;
  adminPassword: string | undefined;
  /** 32 bytes; undefined if it is generated and stored in the data folder. */
  secretKey: Buffer | undefined;
  publicUrl: string | undefined;
  /** Published address of a container, in Compose notation. */
  publish: string | undefined;
  trustProxy: boolean | number | string;
  /** Maximum open connections per address; 0: unlimited. */
  connectionsPerAddress: number;
  logLevel: LogLevel;
  /** `auto`: `pretty` if standard output is a terminal, otherwise `json`. */
  logFormat: 'auto' | 'json' | 'pretty';
  /** Minutes of model inactivity after which a turn is aborted; 0: never. */
  turnIdleMinutes: number;
  /** Seconds between the stop signal, when `/api/ready` turns 503, and closing the port. */
  shutdownDelaySeconds: number;
  /** Days to keep traces; 0: none are recorded. */
  traceDays: number;
  skillsExtraDirectories: string[];
  /** Extra directories in which skills may be nested. */
  skillsExtraRecursive: string[];
  skillLimits: ScanLimits;
  /** Size limits of skills that are written, uploaded or imported. */
  sizeLimits: SizeLimits;
  skillsStrict: boolean;
  /** Schedule, folder, contents and retention of backups. */
  backupSchedule: { directory: string; cron: string; keep: number; data: boolean } | undefined;
  telemetry: TelemetrySettings;
  /** How scripts of skills are run. */
  scriptRunner: RunnerSettings;
  /** How e-mail is sent; undefined if it is not. */
  mail: MailConnection | undefined;
  /** Additional origins that may receive API keys. */
  modelHosts: string[];
  /** All variables, for `${NAME:-default}` in configuration files and for `<MODEL_ID>_API_KEY`. */
  variables: Record<string, string | undefined>;
  /** Names of the variables in `.env`. */
  fileVariables: readonly string[];
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type LogLevel = (typeof logLevels)[number];

const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .transform((value) => value === 'true' || value === '1');

const kibibyte = 1024;
interface NumberRange {
  what: string;
  min: number;
  max: number;
  /** The meaning of 0. */
  zero?: string;
}

const wholeNumber = ({ min, max }: NumberRange) =>
  z
    .string()
    .regex(/^\d{1,7}$/)
    .transform(Number)
    .refine((number) => number >= min && number <= max);

const describeRange = ({ what, min, max, zero }: NumberRange) =>
  `${what} from ${zero ? `${min}, ${zero},` : min} to ${max}`;

const numberVariable = (standard: number, range: NumberRange) =>
  wholeNumber(range).default(standard).describe(describeRange(range));

const port = { what: 'a port number', min: 0, max: 65_535 };
const size = { what: 'a size in KiB', min: 1, max: maxSizeLimits.bytes / kibibyte };

const variablesSchema = z.object({
  PORT: numberVariable(3000, port),
  HOST: z.string().min(1).default('127.0.0.1').describe('an address or host name to listen on'),
  CONTENTS_DIR: z.string().min(1).default('./contents').describe('a folder'),
  DATA_DIR: z.string().min(1).default('./data').describe('a folder'),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/ })
    .refine(hasItsFiles)
    .optional()
    .describe(
      'an address of PostgreSQL such as postgresql://knowhow:PASSWORD@db.example.org/knowhow; percent-encode special characters of the password (%21); files such as sslrootcert must exist',
    ),
  ADMIN_PASSWORD: z.string().min(8).optional().describe('at least 8 characters'),
  SECRET_KEY: z
    .base64()
    .transform((text) => Buffer.from(text, 'base64'))
    .refine(({ length }) => length === 32)
    .optional()
    .describe('32 bytes in base64, such as the output of `openssl rand -base64 32`'),
  METRICS_PORT: wholeNumber(port).optional().describe(describeRange(port)),
  METRICS_HOST: z.string().min(1).default('127.0.0.1').describe('an address to listen on'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .refine(isOrigin)
    .optional()
    .describe(
      'an http or https address of a host, such as https://chat.example.org, without path, query, fragment or credentials: Knowhow cannot be served below a path',
    ),
  PUBLISH: z.string().optional().describe('a port, or an address and a port'),
  TRUST_PROXY: z
    .string()
    .refine(isTrustProxy)
    .default('false')
    .transform(parseTrustProxy)
    .describe('true, false, a number of proxies, or their addresses'),
  CONNECTIONS_PER_ADDRESS: numberVariable(1000, {
    what: 'a number of connections',
    min: 0,
    max: 99_999,
    zero: 'for no limit',
  }),
  LOG_LEVEL: z
    .enum(logLevels)
    .default('info')
    .describe(`one of ${logLevels.join(', ')}`),
  LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto').describe('auto, json or pretty'),
  TURN_IDLE_MINUTES: numberVariable(10, {
    what: 'a number of minutes',
    min: 0,
    max: 9999,
    zero: 'for no limit',
  }),
  SHUTDOWN_DELAY_SECONDS: numberVariable(0, { what: 'a number of seconds', min: 0, max: 99 }),
  TRACE_DAYS: numberVariable(30, {
    what: 'a number of days',
    min: 0,
    max: 999,
    zero: 'for none',
  }),
  SKILLS_EXTRA_DIRS: z
    .string()
    .default('')
    .transform((value) => value.split(':').filter((directory) => directory !== ''))
    .describe(
      'folders, separated by ":"; append "/**" to a folder to include skills inside skills',
    ),
  SKILLS_MAX_DEPTH: numberVariable(defaultScanLimits.maxDepth, {
    what: 'a number of levels',
    min: 1,
    max: 99,
  }),
  SKILLS_MAX_FOLDERS: numberVariable(defaultScanLimits.maxFolders, {
    what: 'a number of folders',
    min: 1,
    max: 9_999_999,
  }),
  SKILLS_MAX_FILES: numberVariable(defaultSizeLimits.files, {
    what: 'a number of files',
    min: 1,
    max: maxSizeLimits.files,
  }),
  SKILLS_MAX_KIB: numberVariable(defaultSizeLimits.bytes / kibibyte, size),
  SKILLS_MAX_FILE_KIB: numberVariable(defaultSizeLimits.fileBytes / kibibyte, size),
  MODEL_HOSTS: z
    .string()
    .default('')
    .transform((value) => value.split(',').map((entry) => entry.trim()))
    .transform((entries) => entries.filter(Boolean).map(parseModelHost))
    .refine((hosts): hosts is string[] => !hosts.includes(undefined))
    .describe('hosts such as "gateway.example.org:8443", separated by ","'),
  ...runnerVariables,
  SMTP_URL: z
    .string()
    .refine((value) => parseSmtpUrl(value) !== undefined)
    .optional()
    .describe(
      'an address such as smtps://USER:PASSWORD@mail.example.org or smtp://mail.example.org:25, without path and query; percent-encode special characters of the password (%21); requires MAIL_FROM',
    ),
  MAIL_FROM: z
    .string()
    .refine((value) => parseSender(value) !== undefined)
    .optional()
    .describe('knowhow@example.org or Knowhow <knowhow@example.org>; requires SMTP_URL'),
  MAIL_MINUTES: numberVariable(10, { what: 'a number of minutes', min: 0, max: 1440 }),
  SKILLS_STRICT: flag.default(false).describe('true or false'),
  BACKUP_DIR: z.string().min(1).optional().describe('a folder; requires BACKUP_CRON'),
  BACKUP_CRON: z
    .string()
    .refine(isCron)
    .optional()
    .describe('a cron expression, such as "0 3 * * *"; requires BACKUP_DIR'),
  BACKUP_KEEP: numberVariable(14, { what: 'a number of backups', min: 1, max: 9999 }),
  BACKUP_DATA: flag.default(false).describe('true or false'),
});

/**
 * Every variable read by the server, `docker-compose.yml` or its proxy, except model keys and
 * freely named variables.
 */
export const variableNames: readonly string[] = [
  ...Object.keys(variablesSchema.shape),
  'POSTGRES_PASSWORD',
  'PUBLISH_PROXY',
];

/** The values that a variable takes, for messages and `.env.example`; undefined if it only concerns Compose. */
export function formatOf(name: string): string | undefined {
  const shape: Record<string, z.ZodType> = variablesSchema.shape;
  return shape[name]?.description;
}

/**
 * Reads the process environment, merged with `.env` in the working directory. Throws an `Error`
 * with one line per invalid variable: its name and expected format.
 */
export function readEnvironment(): Environment {
  if (!existsSync('.env')) {
    return parseEnvironment(process.env);
  }
  process.loadEnvFile('.env');
  const fileVariables = Object.keys(parseEnv(readFileSync('.env', 'utf8')));
  return { ...parseEnvironment(process.env), fileVariables };
}

/** Parses given variables. Empty values count as unset. */
export function parseEnvironment(variables: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const result = variablesSchema.safeParse(set);
  if (!result.success) {
    const wrong = new Set(result.error.issues.map(({ path }) => path[0]));
    throw new Error([...wrong].map(wrongVariable).join('\n'));
  }
  const { data } = result;
  if ((data.BACKUP_DIR === undefined) !== (data.BACKUP_CRON === undefined)) {
    throw new Error(wrongVariable(data.BACKUP_DIR === undefined ? 'BACKUP_DIR' : 'BACKUP_CRON'));
  }
  if ((data.SMTP_URL === undefined) !== (data.MAIL_FROM === undefined)) {
    throw new Error(wrongVariable(data.SMTP_URL === undefined ? 'SMTP_URL' : 'MAIL_FROM'));
  }
  const missing = missingRunnerVariable(data);
  if (missing) {
    throw new Error(wrongVariable(missing));
  }
  return {
    port: data.PORT,
    host: data.HOST,
    contentsDirectory: resolve(data.CONTENTS_DIR),
    dataDirectory: resolve(data.DATA_DIR),
    databaseUrl: data.DATABASE_URL,
    adminPassword: data.ADMIN_PASSWORD,
    secretKey: data.SECRET_KEY,
    publicUrl: data.PUBLIC_URL,
    publish: data.PUBLISH,
    trustProxy: data.TRUST_PROXY,
    connectionsPerAddress: data.CONNECTIONS_PER_ADDRESS,
    logLevel: data.LOG_LEVEL,
    logFormat: data.LOG_FORMAT,
    turnIdleMinutes: data.TURN_IDLE_MINUTES,
    shutdownDelaySeconds: data.SHUTDOWN_DELAY_SECONDS,
    traceDays: data.TRACE_DAYS,
    ...extraDirectoriesOf(data.SKILLS_EXTRA_DIRS),
    skillLimits: { maxDepth: data.SKILLS_MAX_DEPTH, maxFolders: data.SKILLS_MAX_FOLDERS },
    sizeLimits: {
      files: data.SKILLS_MAX_FILES,
      bytes: data.SKILLS_MAX_KIB * kibibyte,
      fileBytes: data.SKILLS_MAX_FILE_KIB * kibibyte,
    },
    skillsStrict: data.SKILLS_STRICT,
    telemetry: readTelemetrySettings(set, data),
    scriptRunner: readRunnerSettings(data),
    mail: parseMailSettings(data),
    modelHosts: data.MODEL_HOSTS,
    backupSchedule: backupScheduleOf(data),
    variables: set,
    fileVariables: [],
  };
}

/** A trailing `/**` means recursive. */
function extraDirectoriesOf(
  written: readonly string[],
): Pick<Environment, 'skillsExtraDirectories' | 'skillsExtraRecursive'> {
  const recursive = written.filter((path) => path.endsWith('/**'));
  const directoryOf = (path: string) => resolve(path.replace(/(?<=\/)\*\*$/, ''));
  return {
    skillsExtraDirectories: written.map(directoryOf),
    skillsExtraRecursive: recursive.map(directoryOf),
  };
}

function backupScheduleOf(data: z.output<typeof variablesSchema>): Environment['backupSchedule'] {
  const { BACKUP_DIR, BACKUP_CRON, BACKUP_KEEP, BACKUP_DATA } = data;
  return BACKUP_DIR === undefined || BACKUP_CRON === undefined
    ? undefined
    : { directory: resolve(BACKUP_DIR), cron: BACKUP_CRON, keep: BACKUP_KEEP, data: BACKUP_DATA };
}

/** Whether the certificates and keys referenced by a URL are readable. */
function hasItsFiles(address: string): boolean {
  if (!URL.canParse(address)) {
    return false;
  }
  const { searchParams } = new URL(address);
  return ['sslcert', 'sslkey', 'sslrootcert'].every((name) =>
    searchParams.getAll(name).every((path) => path === '' || isReadableFile(path)),
  );
}

function isReadableFile(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Only host and port; a trailing slash is accepted. */
function isOrigin(url: string): boolean {
  return URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/`;
}

function isCron(text: string): boolean {
  try {
    return new Cron(text, { paused: true, mode: '5-or-6-parts' }).nextRun() !== null;
  } catch {
    return false;
  }
}

function wrongVariable(path: PropertyKey | undefined): string {
  return `${String(path)} is wrong: it takes ${formatOf(String(path))}.`;
}

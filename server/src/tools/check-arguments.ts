import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import { isRecord } from '@knowhow/shared/is-record';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { isTooDeep } from '../content/parse-config.ts';

type Schema = Record<string, unknown>;

/** Of a schema: a request to a model has to carry it. */
const maxLength = 64 * 1024;
const maxDepth = 32;
/** A regular expression or references within each other could take for ever. */
const limitMs = 100;
/** Of the processor, in all; so often at least, since other threads have a part in it, and so often at most. */
const enoughMs = 200;
const attempts = { least: 3, most: 20 };
const maxFaults = 5;

/** Why a schema cannot be given to models; undefined when it can. */
export function faultOfSchema(schema: Schema): string | undefined {
  if (isTooDeep(schema, maxDepth)) {
    return `Its parameters are more than ${maxDepth} levels deep.`;
  }
  if (JSON.stringify(schema).length > maxLength) {
    return `Its parameters are described in more than ${maxLength} characters.`;
  }
  return undefined;
}

/**
 * What is wrong with the arguments of a call, in words for the model; undefined when nothing is. A schema
 * that cannot be used, or only slowly, counts at its first level: the tool checks the rest.
 *
 * @param schema one without a fault
 */
export async function faultOfArguments(
  input: unknown,
  schema: Schema,
): Promise<string | undefined> {
  if (isTooDeep(input, maxDepth)) {
    return `The arguments are more than ${maxDepth} levels deep.`;
  }
  const { whole, firstLevel } = await checksOf(schema);
  const check = whole ?? firstLevel;
  if (!check) {
    return undefined;
  }
  try {
    return (await inTime(() => check(input))) ? undefined : describe(check.errors ?? []);
  } catch {
    return 'They take too long to be checked. Send simpler ones.';
  }
}

interface Checks {
  whole: ValidateFunction | undefined;
  firstLevel: ValidateFunction | undefined;
}

const known = new WeakMap<Schema, Promise<Checks>>();

function checksOf(schema: Schema): Promise<Checks> {
  const checks = known.get(schema) ?? compile(schema);
  known.set(schema, checks);
  return checks;
}

/** Each with a compiler of its own: what one schema is called (`$id`), no other gets. */
async function compile(schema: Schema): Promise<Checks> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const tryTo = async (wanted: Schema) => {
    // What it was written for and what it is called are not looked up anywhere.
    const { $schema: _written, $id: _called, ...plain } = wanted;
    const compiler = new Ajv2020({
      ...{ strict: false, logger: false, meta: false, validateSchema: false },
      ...{ validateFormats: false, addUsedSchema: false, allErrors: true },
    });
    try {
      return await inTime(() => compiler.compile(plain));
    } catch {
      return undefined;
    }
  };
  const whole = await tryTo(schema);
  return { whole, firstLevel: whole ? undefined : await tryTo(firstLevelOf(schema)) };
}

function firstLevelOf({ required, properties }: Schema): Schema {
  const names = isRecord(properties) ? Object.entries(properties) : [];
  return {
    type: 'object',
    ...(Array.isArray(required) ? { required } : {}),
    properties: Object.fromEntries(
      names.map(([name, part]) => [
        name,
        isRecord(part) && 'type' in part ? { type: part.type } : true,
      ]),
    ),
  };
}

function describe(errors: readonly ErrorObject[]): string {
  const faults = errors.slice(0, maxFaults).map(({ instancePath, message, params }) => {
    const where = instancePath === '' ? 'the arguments' : instancePath;
    const what: unknown = params.additionalProperty ?? params.allowedValues;
    return `${where} ${message ?? 'are wrong'}${what === undefined ? '' : ` (${JSON.stringify(what)})`}`;
  });
  const more = errors.length - faults.length;
  return `${faults.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

const script = new Script('run()');

/**
 * Runs it for no longer than `limitMs`, also in a regular expression, and rejects when that was not enough. Where
 * the machine has other work, a time limit says little: it is tried again, with others served in between, until
 * it has had its time of the processor, or the machine has none for it. What the process took meanwhile is also
 * what its other threads took: a busy one alone does not make it enough.
 */
async function inTime<Result>(run: () => Result): Promise<Result> {
  let had = 0;
  for (let tried = 1; ; tried += 1) {
    const before = process.cpuUsage();
    try {
      return script.runInContext(createContext({ run }), { timeout: limitMs }) as Result;
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      had += (user + system) / 1000;
      const isEnough = tried >= attempts.least && had > enoughMs;
      if (isEnough || tried >= attempts.most || !isTimeout(error)) {
        throw error;
      }
      await yieldToEventLoop();
    }
  }
}

function isTimeout(error: unknown): boolean {
  // It is an error of the context, no `Error` of ours.
  return isRecord(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import { isRecord } from '@knowhow/shared/is-record';
import type { ErrorObject, ValidateFunction } from 'ajv';
import { isTooDeep } from '../content/index.ts';

type Schema = Record<string, unknown>;

/** Maximum schema length, since requests to models must include it. */
const maxLength = 64 * 1024;
const maxDepth = 32;
/** Timeout per attempt, against ReDoS and exponential references. */
const limitMs = 100;
/**
 * CPU time limit over all attempts, with a minimum because other threads count as well, and a
 * maximum number of attempts.
 */
const enoughMs = 200;
const attempts = { least: 3, most: 20 };
const maxFaults = 5;

/** Why a schema cannot be sent to models; undefined if it can. */
export function findSchemaIssue(schema: Schema): string | undefined {
  if (isTooDeep(schema, maxDepth)) {
    return `Its parameters are more than ${maxDepth} levels deep.`;
  }
  if (JSON.stringify(schema).length > maxLength) {
    return `Its parameters are described in more than ${maxLength} characters.`;
  }
  return undefined;
}

/**
 * Validates a call's arguments and describes errors for the model; undefined if they are valid. For
 * schemas that cannot be compiled in time, only the first level is checked; the tool validates the
 * rest.
 *
 * @param schema a schema accepted by `findSchemaIssue`
 */
export async function findArgumentIssue(
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

const checksCache = new WeakMap<Schema, Promise<Checks>>();

function checksOf(schema: Schema): Promise<Checks> {
  const checks = checksCache.get(schema) ?? compile(schema);
  checksCache.set(schema, checks);
  return checks;
}

/** A separate compiler per schema, so that their `$id`s cannot collide. */
async function compile(schema: Schema): Promise<Checks> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const tryTo = async (wanted: Schema) => {
    // `$schema` and `$id` are removed, so that nothing is resolved by them.
    const { $schema: _written, $id: _called, ...plain } = wanted;
    const compiler = new Ajv2020({
      strict: false,
      logger: false,
      meta: false,
      validateSchema: false,
      validateFormats: false,
      addUsedSchema: false,
      allErrors: true,
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
 * Runs a function with a timeout that interrupts even a regular expression. On a busy machine,
 * wall-clock timeouts are unreliable. It is therefore retried, yielding in between, until enough
 * CPU time was spent or attempts run out. CPU time includes other threads, so a minimum number of
 * attempts applies.
 */
async function inTime<Result>(run: () => Result): Promise<Result> {
  let spentMs = 0;
  for (let attempt = 1; ; attempt += 1) {
    const before = process.cpuUsage();
    try {
      return script.runInContext(createContext({ run }), { timeout: limitMs }) as Result;
    } catch (error) {
      const { user, system } = process.cpuUsage(before);
      spentMs += (user + system) / 1000;
      const isEnough = attempt >= attempts.least && spentMs > enoughMs;
      if (isEnough || attempt >= attempts.most || !isTimeout(error)) {
        throw error;
      }
      await yieldToEventLoop();
    }
  }
}

function isTimeout(error: unknown): boolean {
  // Thrown in the context's realm, so `instanceof Error` fails.
  return isRecord(error) && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { isRecord } from '@knowhow/shared/is-record';
import type { JSONRPCMessage, specTypeSchemas, Transport } from '@modelcontextprotocol/client';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';

interface Guard {
  /** The library's schemas, injected so that only one file loads it. */
  schemas: typeof specTypeSchemas;
  /** A response or notification was rejected; its call fails with the same message. */
  onRefused(why: string): void;
  /** The server exceeds the rate limit: the connection must be closed. */
  onFlood(why: string): void;
}

const maxMessagesPerSecond = 2000;
/** Messages handled before yielding to the event loop. */
const maxAtOnce = 50;
/** Messages up to this many values are left to the library's own validation. */
const maxUnchecked = 1000;
/** Maximum values of one list entry, and of everything outside the list. */
const maxEntryValues = 5000;
const maxWrong = 100;
/** Entries validated before yielding to the event loop. */
const entriesAtOnce = 200;

/** Maximum pending requests whose method is remembered. */
const maxOpenRequests = 1000;

/** The list that each method's response contains. */
const lists = {
  'tools/call': ['CallToolResult', 'content'],
  'tools/list': ['ListToolsResult', 'tools'],
  'resources/list': ['ListResourcesResult', 'resources'],
  'resources/templates/list': ['ListResourceTemplatesResult', 'resourceTemplates'],
  'resources/read': ['ReadResourceResult', 'contents'],
  'prompts/list': ['ListPromptsResult', 'prompts'],
  'prompts/get': ['GetPromptResult', 'messages'],
} as const satisfies Record<string, readonly [keyof typeof specTypeSchemas, string]>;

/** Response fields that the library does not validate. */
const opaque: readonly string[] = ['structuredContent', '_meta'];

type Receive = NonNullable<Transport['onmessage']>;
type Arguments = Parameters<Receive>;

/**
 * Filters messages between a transport and the library. The library builds an error object for
 * every invalid value of a message, all at once: ten thousand take a second. Large responses are
 * therefore validated entry by entry, yielding to the event loop, and rejected if too much is
 * invalid. A server that floods us with messages is disconnected.
 */
export function guardMessages(transport: Transport, guard: Guard): void {
  const methods = new Map<unknown, string>();
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ('method' in message && 'id' in message) {
      methods.set(message.id, message.method);
      const [oldest] = methods.keys();
      if (methods.size > maxOpenRequests) {
        methods.delete(oldest);
      }
    }
    return send(message, options);
  };
  const queue: Arguments[] = [];
  const count = messagesPerSecond();
  let receive: Receive | undefined;
  let isFlooded = false;
  let isDraining = false;
  const deliver: Receive = (...given) => {
    try {
      receive?.(...given);
    } catch (error) {
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const drain = async () => {
    isDraining = true;
    try {
      for (let handled = 0; queue.length > 0 && !isFlooded; handled += 1) {
        if (handled % maxAtOnce === maxAtOnce - 1) {
          await yieldToEventLoop();
        }
        await handle(queue.shift() as Arguments);
      }
    } finally {
      isDraining = false;
    }
  };
  const handle = async ([message, extra]: Arguments) => {
    const checked = isSmall(message, maxUnchecked)
      ? message
      : await checkLarge(message, methods, guard);
    if ('id' in message && !('method' in message)) {
      methods.delete(message.id);
    }
    if (checked) {
      deliver(checked, extra);
    }
  };
  const take: Receive = (...given) => {
    if (isFlooded) {
      return;
    }
    if (count() > maxMessagesPerSecond) {
      isFlooded = true;
      guard.onFlood(`It sent more than ${maxMessagesPerSecond} messages in a second.`);
      return;
    }
    queue.push(given);
    if (!isDraining) {
      drain().catch((error: unknown) => guard.onRefused(getErrorMessage(error)));
    }
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive && take,
    set: (changed: Receive | undefined) => {
      receive = changed === take ? receive : changed;
    },
  });
}

function messagesPerSecond(): () => number {
  let since = 0;
  let count = 0;
  return () => {
    const second = Math.floor(performance.now() / 1000);
    count = second === since ? count + 1 : 1;
    since = second;
    return count;
  };
}

/** Returns the message, an error response if a request is waiting for it, or undefined. */
async function checkLarge(
  message: JSONRPCMessage,
  methods: ReadonlyMap<unknown, string>,
  { schemas, onRefused }: Guard,
): Promise<JSONRPCMessage | undefined> {
  const wrong =
    'result' in message
      ? await findIssueInResult(message.result, methods.get(message.id), schemas)
      : `It sent a message of more than ${maxUnchecked} values that is not a response.`;
  if (wrong === undefined) {
    await yieldToEventLoop();
    return message;
  }
  onRefused(wrong);
  const isAnswer = 'id' in message && message.id !== undefined && !('method' in message);
  return isAnswer
    ? { jsonrpc: '2.0', id: message.id as number, error: { code: -32603, message: wrong } }
    : undefined;
}

async function findIssueInResult(
  result: unknown,
  method: string | undefined,
  schemas: Guard['schemas'],
): Promise<string | undefined> {
  const [type, name] = Object.entries(lists).find(([each]) => each === method)?.[1] ?? [];
  const all = isRecord(result) ? result : {};
  const list = name === undefined ? undefined : all[name];
  const entries: unknown[] = Array.isArray(list) ? list : [];
  const rest = Object.entries(all).filter(
    ([key, value]) => value !== entries && !opaque.includes(key),
  );
  if (!isSmall(rest, maxEntryValues)) {
    return `It sent an answer to ${method} with more than ${maxEntryValues} values outside of its list.`;
  }
  const schema = type && schemas[type]['~standard'];
  let wrong = 0;
  for (const [index, entry] of entries.entries()) {
    if (!isSmall(entry, maxEntryValues)) {
      return `It sent an answer to ${method} with more than ${maxEntryValues} values in ${name}[${index}].`;
    }
    const validated = name && schema ? schema.validate({ [name]: [entry] }) : undefined;
    wrong += validated && 'issues' in validated ? (validated.issues?.length ?? 0) : 0;
    if (wrong > maxWrong) {
      return `It sent an answer to ${method} with more than ${maxWrong} wrong values in ${name}.`;
    }
    if (index % entriesAtOnce === entriesAtOnce - 1) {
      await yieldToEventLoop();
    }
  }
  return undefined;
}

/** Whether a value contains at most `max` nested values. */
function isSmall(value: unknown, max: number): boolean {
  let remaining = max;
  const visit = (each: unknown): boolean => {
    remaining -= 1;
    if (typeof each !== 'object' || each === null) {
      return remaining >= 0;
    }
    for (const key in each) {
      if (remaining < 0 || !visit((each as Record<string, unknown>)[key])) {
        return false;
      }
    }
    return remaining >= 0;
  };
  return visit(value);
}

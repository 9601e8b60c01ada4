/** What a vendor is to answer, described without its wire format. */
export interface WireAnswer {
  thinking?: string;
  text?: string[];
  calls?: { id: string; name: string; arguments: string[] }[];
  stop?: 'stop' | 'length' | 'refused';
  /** Tokens that the vendor counts; 11 in and 22 out, unless a test is about them. */
  usage?: { inputTokens: number; outputTokens: number };
}

export const usualUsage = { inputTokens: 11, outputTokens: 22 };

/** A vendor's documented wire format, as a server of it would write it. */
export interface VendorWire {
  provider: string;
  modelId: string;
  /** The path that a request to a bare origin goes to. */
  path: string;
  /** The header that carries the key `secret-key`. */
  keyHeader: [name: string, value: string];
  /** The whole stream of an answer, event by event; its usage has 2 tokens from a cache. */
  answer(answer: WireAnswer): string[];
  /** An error of the server inside a stream. */
  errorEvent: string;
  /** The body of an error response. */
  errorBody(message: string): string;
  /** How the vendor says that a conversation is too long. */
  contextFull: { status: number; body: string };
}

/** A server-sent event that only has data. */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** A server-sent event that is named after its `type`. */
export function typedEvent<Event extends { type: string }>(data: Event): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

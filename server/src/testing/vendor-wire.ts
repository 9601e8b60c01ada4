/** A vendor's answer, independent of its wire format. */
export interface WireAnswer {
  thinking?: string;
  text?: string[];
  calls?: { id: string; name: string; arguments: string[] }[];
  stop?: 'stop' | 'length' | 'refused';
  /** Reported tokens; 11 input and 22 output by default. */
  usage?: { inputTokens: number; outputTokens: number };
}

export const usualUsage = { inputTokens: 11, outputTokens: 22 };

/** A vendor's documented wire format, from the server's side. */
export interface VendorWire {
  provider: string;
  modelId: string;
  /** Path of requests to a bare origin. */
  path: string;
  /** The header that carries the key `secret-key`. */
  keyHeader: [name: string, value: string];
  /** The complete stream of an answer; its usage includes 2 cached tokens. */
  answer(answer: WireAnswer): string[];
  /** A server error within a stream. */
  errorEvent: string;
  /** Body of an error response. */
  errorBody(message: string): string;
  /** The vendor's error for a full context window. */
  contextFull: { status: number; body: string };
}

/** A server-sent event without a name. */
export function dataEvent(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

/** A server-sent event named after its `type`. */
export function typedEvent<Event extends { type: string }>(data: Event): string {
  return `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
}

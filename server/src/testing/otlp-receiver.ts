import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const valueSchema = z.union([
  z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.object({ boolValue: z.boolean() }).transform(({ boolValue }) => boolValue),
  z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  z.object({ doubleValue: z.number() }).transform(({ doubleValue }) => doubleValue),
  z
    .object({ arrayValue: z.object({ values: z.array(z.object({ stringValue: z.string() })) }) })
    .transform(({ arrayValue }) => arrayValue.values.map(({ stringValue }) => stringValue)),
]);
const attributesSchema = z
  .array(z.object({ key: z.string(), value: valueSchema }))
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));
const resourceSchema = z.object({ attributes: attributesSchema });
const spanSchema = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes: attributesSchema,
  status: z.object({ code: z.number().default(0) }),
});
export type ReceivedSpan = z.output<typeof spanSchema>;

const tracesSchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: resourceSchema,
      scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })),
    }),
  ),
});
const pointSchema = z.object({ attributes: attributesSchema, count: z.coerce.number().optional() });
const dataSchema = z.object({ dataPoints: z.array(pointSchema) });
const metricsSchema = z.object({
  resourceMetrics: z.array(
    z.object({
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              sum: dataSchema.optional(),
              gauge: dataSchema.optional(),
              histogram: dataSchema.optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export interface OtlpReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Resources of the received spans. */
  resources: Record<string, unknown>[];
  /** Names of received metrics. */
  metrics: Set<string>;
  /** Raw request bodies. */
  bodies: string[];
}

/** An OTLP collector (JSON over HTTP), or one that accepts connections and never answers. */
export async function startOtlpReceiver({ hangs = false } = {}): Promise<OtlpReceiver> {
  const received: OtlpReceiver = {
    url: '',
    spans: [],
    resources: [],
    metrics: new Set<string>(),
    bodies: [],
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    received.bodies.push(body);
    if (hangs) {
      return;
    }
    take(received, request.url ?? '', JSON.parse(body));
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  received.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return received;
}

function take(received: OtlpReceiver, path: string, body: unknown): void {
  if (path === '/v1/traces') {
    for (const { resource, scopeSpans } of tracesSchema.parse(body).resourceSpans) {
      received.resources.push(resource.attributes);
      received.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
  } else if (path === '/v1/metrics') {
    const all = metricsSchema.parse(body).resourceMetrics.flatMap((each) => each.scopeMetrics);
    for (const { name } of all.flatMap(({ metrics }) => metrics)) {
      received.metrics.add(name);
    }
  }
}

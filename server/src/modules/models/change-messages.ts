import type { ModelMessage, ModelRequest } from './model.ts';

/** Applies named adaptations to the messages of a request. */
export function changeMessages(
  request: ModelRequest,
  adaptations: ReadonlySet<string>,
): ModelRequest {
  const changes = [
    { name: 'omit-tool-pictures', change: withoutToolPictures },
    { name: 'alternate-roles', change: withAlternatingRoles },
    { name: 'system-as-user', change: withSystemAsUser },
  ];
  return changes
    .filter(({ name }) => adaptations.has(name))
    .reduce((changed, { change }) => change(changed), request);
}

export function hasImages({ images }: { images?: unknown[] }): boolean {
  return images !== undefined && images.length > 0;
}

function withoutToolPictures(request: ModelRequest): ModelRequest {
  const note =
    '[An image of this result was left out, because the server of this model does not accept it.]';
  const messages = request.messages.map((message): ModelMessage => {
    if (message.role !== 'tool' || !hasImages(message)) {
      return message;
    }
    const { images: _, ...rest } = message;
    return { ...rest, content: [rest.content, note].filter(Boolean).join('\n\n') };
  });
  return { ...request, messages };
}

/** Inserts short assistant messages between tool results and a user message, and between user messages. */
function withAlternatingRoles(request: ModelRequest): ModelRequest {
  const messages: ModelMessage[] = [];
  const say = (content: string) => messages.push({ role: 'assistant', content, toolCalls: [] });
  for (const [index, message] of request.messages.entries()) {
    const before = messages.at(-1)?.role;
    if (message.role === 'user' && (before === 'tool' || before === 'user')) {
      say('I see.');
    }
    messages.push(message.role === 'tool' ? { ...message, images: [] } : message);
    const isLastResult = message.role === 'tool' && request.messages[index + 1]?.role !== 'tool';
    const pictures = isLastResult ? resultPictures(request.messages, index) : [];
    if (pictures.length > 0) {
      say('I look at the pictures of the results.');
      const content = 'The pictures of the tool results above:';
      messages.push({ role: 'user', content, images: pictures });
    }
  }
  return { ...request, messages };
}

/** Images of the consecutive results that end at `index`. */
function resultPictures(messages: readonly ModelMessage[], index: number) {
  const pictures = [];
  for (let at = index; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== 'tool') {
      break;
    }
    pictures.unshift(...(message.images ?? []));
  }
  return pictures;
}

function withSystemAsUser(request: ModelRequest): ModelRequest {
  const [first, ...rest] = request.messages;
  const { system } = request;
  const messages: ModelMessage[] =
    first?.role === 'user'
      ? [{ ...first, content: `${system}\n\n${first.content}` }, ...rest]
      : [{ role: 'user', content: system }, ...request.messages];
  return { ...request, system: '', messages };
}

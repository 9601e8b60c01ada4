import { rawZip } from './raw-zip.ts';

/** Files of a source by path. */
type Texts = Readonly<Record<string, string>>;

/** A zip of texts by path. */
export function createTextZip(texts: Texts): Buffer {
  return rawZip(Object.entries(texts).map(([name, content]) => ({ name, content, method: 0 })));
}

const handler = `module.exports.runtime = {
  handler: async function ({ text }) {
    this.introspect('counting');
    return String(text.length);
  },
};
`;

/** A valid AnythingLLM plugin in a folder. */
export function handlerPlugin(folder: string, changes: Record<string, unknown> = {}): Texts {
  const manifest = {
    active: true,
    hubId: folder.split('/').at(-1),
    name: 'Letter Counter',
    schema: 'skill-1.0.0',
    version: '1.2.0',
    author: 'Jo',
    description: 'Counts the letters of a text.',
    license: 'MIT',
    examples: [{ prompt: 'How long is "abc"?', call: '{"text":"abc"}' }],
    setup_args: {
      API_KEY: { type: 'string', required: true, input: { type: 'password', hint: 'Your key' } },
    },
    entrypoint: {
      file: 'handler.js',
      params: { text: { type: 'string', description: 'What to count', required: true } },
    },
    icon: 'https://example.org/icon.png',
    ...changes,
  };
  return {
    [`${folder}/plugin.json`]: JSON.stringify(manifest, null, 2),
    [`${folder}/handler.js`]: handler,
    [`${folder}/README.md`]: '# Letters\n\nIt counts them.\n',
  };
}

/** An AnythingLLM flow. */
export function agentFlow(steps: unknown[], changes: Record<string, unknown> = {}): string {
  const variables = [{ name: 'city', value: 'Bern', description: 'Where' }];
  return JSON.stringify({
    name: 'Weather Report',
    description: 'Says what the weather is like.',
    active: true,
    steps: [{ type: 'start', config: { variables } }, ...steps],
    ...changes,
  });
}

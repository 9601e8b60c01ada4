import type { api } from '@knowhow/shared/api';
import { at, ownGroup, type Row, signedIn } from './access-row.ts';

type Rows = {
  [A in 'openai' | 'openaiResponses' | 'mcp' | 'wellKnownSkills' | 'gitSkills']: Record<
    keyof (typeof api)[A],
    Row
  >;
};

const none: Row['answers'] = [404, 404, 404, 404];

/** Endpoints for other programs. */
export const programRows: Rows = {
  openai: {
    models: at(signedIn, '/v1/models'),
    model: at(ownGroup, '/v1/models/chat'),
    complete: at(ownGroup, '/v1/chat/completions', {
      json: { model: 'chat', messages: [{ role: 'user', content: 'Hello' }] },
    }),
  },
  openaiResponses: {
    create: at(ownGroup, '/v1/responses', { json: { model: 'chat', input: 'Hello' } }),
  },
  mcp: {
    resource: at(none, '/.well-known/oauth-protected-resource/mcp'),
    anyResource: at(none, '/.well-known/oauth-protected-resource'),
    call: at(signedIn, '/mcp', {
      json: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    }),
    listen: at([401, 405, 405, 405], '/mcp'),
  },
  wellKnownSkills: {
    index: at(signedIn, '/.well-known/agent-skills/index.json'),
    manifest: at(ownGroup, '/.well-known/agent-skills/meeting-notes/SKILL.md'),
    archive: at(ownGroup, '/.well-known/agent-skills/meeting-notes.tar.gz'),
  },
  gitSkills: {
    refs: at(signedIn, '/git/skills.git/info/refs?service=git-upload-pack'),
    fetch: at(signedIn, '/git/skills.git/git-upload-pack', {
      body: '0014command=ls-refs\n0000',
      headers: {
        'Content-Type': 'application/x-git-upload-pack-request',
        'Git-Protocol': 'version=2',
      },
    }),
  },
};

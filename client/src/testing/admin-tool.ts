import type { AdminTool, AdminToolSource } from '@knowhow/shared/config/admin-tools';

/** A tool as the admin API returns it. */
export function adminTool(fields: Partial<AdminTool> = {}): AdminTool {
  return {
    ...{ id: 'office/weather', name: 'office__weather', title: 'Weather' },
    description: 'Says how the weather is in a city.',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    },
    hints: { readOnly: true, destructive: false, openWorld: true },
    digest: '0123456789abcdef',
    ...{ enabled: true, consent: 'ask', sourceConsent: 'ask', approved: false, changed: false },
    ...{ groups: ['staff'], apps: ['chat'] },
    ...fields,
  };
}

/** A tool source as the admin API returns it. */
export function adminToolSource(fields: Partial<AdminToolSource> = {}): AdminToolSource {
  return {
    ...{ id: 'office', title: 'Office', kind: 'mcp', enabled: true, status: 'ready' },
    tools: [adminTool()],
    ...fields,
  };
}

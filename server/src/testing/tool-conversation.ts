import type { ModelMessage, ModelRequest, ModelTool } from '../modules/models/model.ts';

export const skillTool: ModelTool = {
  name: 'activate_skill',
  description: 'Loads a skill.',
  parameters: {
    type: 'object',
    properties: { skill_name: { type: 'string', enum: ['minutes'] } },
    required: ['skill_name'],
    additionalProperties: false,
  },
};

/** A conversation with two parallel calls, the second of which failed. */
export const toolConversation: ModelRequest = {
  system: 'Be kind.',
  tools: [skillTool],
  temperature: 0.3,
  maxOutputTokens: 500,
  messages: [
    { role: 'user', content: 'Write minutes' },
    {
      role: 'assistant',
      content: 'Let me see.',
      toolCalls: [
        { id: 'callAAAA1', name: 'activate_skill', input: { skill_name: 'minutes' } },
        { id: 'callBBBB2', name: 'activate_skill', input: '{"skill_' },
      ],
    },
    toolResult('callAAAA1', 'The steps'),
    { ...toolResult('callBBBB2', 'Bad arguments'), isError: true },
    { role: 'assistant', content: 'Done.', toolCalls: [] },
    { role: 'user', content: 'Thanks' },
  ],
};

export function toolResult(
  callId: string,
  content: string,
): Extract<ModelMessage, { role: 'tool' }> {
  return { role: 'tool', callId, name: 'activate_skill', content, isError: false };
}

const picture = { mediaType: 'image/png', data: 'iVBORw0=' };

/** A conversation with an image of the user and one of a tool. */
export const pictureConversation: ModelRequest = {
  system: '',
  tools: [],
  messages: [
    { role: 'user', content: 'Look', images: [picture] },
    {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'callAAAA1', name: 'activate_skill', input: {} }],
    },
    {
      ...toolResult('callAAAA1', 'A picture'),
      images: [picture],
    },
  ],
};

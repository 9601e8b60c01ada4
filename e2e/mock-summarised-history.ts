import type { Page } from '@playwright/test';

interface Conversation {
  messages: { id: string; role: string; notices?: string[] }[];
  activeSkills: { isOutdated?: boolean }[];
  leftOut?: { before: string; summary: string };
}

/**
 * Mocks the reloaded conversation: everything before the last question was summarised in the last turn, and
 * the first active skill is outdated.
 */
export async function mockSummarisedHistory(page: Page, summary: string): Promise<void> {
  await page.route(/\/api\/conversations\/[\w-]+$/, async (route) => {
    const response = await route.fetch();
    const conversation = (await response.json()) as Conversation;
    const [question, answer] = conversation.messages.slice(-2);
    const [skill] = conversation.activeSkills;
    if (question && answer && skill) {
      conversation.leftOut = { before: question.id, summary };
      answer.notices = ['results-cleared', 'summarised'];
      skill.isOutdated = true;
    }
    await route.fulfill({ response, json: conversation });
  });
  await page.reload();
}

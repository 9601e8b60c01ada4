import { conversationExportApi } from '@knowhow/shared/chat/conversation-export';
import { send } from '../../../api/request.ts';
import { styleNonce } from '../../../ui/style-nonce.ts';

/**
 * Prints the exported HTML page of a conversation, including content that is collapsed or not rendered yet in
 * the chat. Throws a `Problem` or `Unreachable`.
 */
export async function printConversation(id: string, withDetails: boolean): Promise<void> {
  const query = { format: 'html' as const, ...(withDetails ? { details: 'true' as const } : {}) };
  const response = await send(conversationExportApi.export, { params: { id }, query }, {});
  const page = await response.text();
  const frame = document.createElement('iframe');
  // Contains no scripts; it is printed from here.
  frame.setAttribute('sandbox', 'allow-same-origin allow-modals');
  frame.setAttribute('aria-hidden', 'true');
  frame.hidden = true;
  frame.srcdoc = page.replace('<style>', `<style nonce="${styleNonce()}">`);
  await new Promise((resolve) => {
    frame.onload = resolve;
    document.body.append(frame);
  });
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove());
  frame.contentWindow?.print();
}

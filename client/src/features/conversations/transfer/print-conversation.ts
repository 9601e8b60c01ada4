import { conversationExportApi } from '@knowhow/shared/chat/conversation-export';
import { send } from '../../../api/request.ts';
import { styleNonce } from '../../../ui/style-nonce.ts';

/**
 * Prints all of a conversation, as its page that is exported: also what is folded or not drawn yet in the chat. Throws
 * a `Problem` or `Unreachable`.
 */
export async function printConversation(id: string, withDetails: boolean): Promise<void> {
  const query = { format: 'html' as const, ...(withDetails ? { details: 'true' as const } : {}) };
  const response = await send(conversationExportApi.export, { params: { id }, query }, {});
  const page = await response.text();
  const frame = document.createElement('iframe');
  // Nothing in it runs; from here it is printed.
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

import { Readable } from 'node:stream';
import { conversationExportApi, type ExportFormat } from '@knowhow/shared/chat/conversation-export';
import { localize } from '@knowhow/shared/config/localized';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import { boundedQueue, exportLimits } from '../../../platform/http/bounded-queue.ts';
import { endOnAccessLoss, route } from '../../../platform/http/route.ts';
import { sendStream } from '../../../platform/http/send-file.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { Database } from '../../../platform/storage/open-database.ts';
import { viewInApp } from '../../chat/index.ts';
import type { Contents } from '../../content/index.ts';
import type { SkillStore } from '../../skills/index.ts';
import { exportConversation, findHead } from '../export/export-conversation.ts';
import { exportZip } from '../export/export-zip.ts';

interface Dependencies {
  database: Database;
  contents: () => Contents;
  skills: SkillStore;
  audit: AuditLog;
}

const files: Record<ExportFormat, { extension: string; type: string }> = {
  markdown: { extension: 'md', type: 'text/markdown; charset=utf-8' },
  html: { extension: 'html', type: 'text/html; charset=utf-8' },
  json: { extension: 'json', type: 'application/json; charset=utf-8' },
  zip: { extension: 'zip', type: 'application/zip' },
};

/** Routes that export conversations as files. */
export function exportRoutes(router: Router, { database, audit, ...rest }: Dependencies): void {
  const queue = boundedQueue(exportLimits);

  route(router, conversationExportApi.export, ({ caller, params, query, ...call }) =>
    queue(call.request, async () => {
      const { language, request, response } = call;
      const head = await findHead(database, caller.id, params.id);
      if (!head) {
        throw problem('not-found', 'There is no such conversation.');
      }
      const { format } = query;
      const what = { kind: 'conversation' as const, target: params.id, after: { format } };
      await audit.record({ by: caller, action: 'export', ...what });
      const { models } = rest.contents();
      const view = viewInApp(caller, head.app_id, rest);
      const freezing = {
        files: true,
        details: query.details === 'true',
        modelName: (id: string) => localize(models.get(id)?.name, language) || id,
        maySeeSkill: (name: string) => view?.find(name) !== undefined,
      };
      const { extension, type } = files[format];
      response.attachment(`${toFileName(head.title)}.${extension}`);
      response.set({
        'Content-Type': type,
        'Cache-Control': 'private, no-store',
        'Content-Security-Policy': "default-src 'none'; sandbox",
      });
      endOnAccessLoss(conversationExportApi.export, request);
      const bytes =
        format === 'zip'
          ? exportZip(database, { head, freezing })
          : Readable.from(exportConversation(database, { head, format, freezing, language }));
      await sendStream(response, bytes);
    }),
  );
}

function toFileName(title: string): string {
  const plain = title.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  return [...plain].slice(0, 80).join('') || 'conversation';
}

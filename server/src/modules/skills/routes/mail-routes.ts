import { adminMailApi, type MailSetting, mailApi } from '@knowhow/shared/access/mail';
import { problem } from '@knowhow/shared/problem';
import type { Router } from 'express';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { rejectGuest } from '../../../platform/http/reject-guest.ts';
import { route } from '../../../platform/http/route.ts';
import { getErrorMessage } from '../../../platform/lib/get-error-message.ts';
import { MailError } from '../../../platform/lib/open-smtp.ts';
import type { AuditLog } from '../../../platform/storage/audit-log.ts';
import type { MailSettings, StoredMailSetting } from '../mail/mail-settings.ts';
import type { Mail } from '../mail/open-mail.ts';

interface Dependencies {
  audit: AuditLog;
  cluster: Cluster;
  /** Undefined if no mail server is configured. */
  mail: Mail | undefined;
  mailSettings: MailSettings;
}

/** Test messages of an administrator in a minute. */
const maxTests = 3;
const guestMessage = 'Guests get no e-mail.';

/** Routes for e-mail: a user's own switch, and the state and a test for administrators. */
export function mailRoutes(
  router: Router,
  { audit, cluster, mail, mailSettings }: Dependencies,
): void {
  const tests = cluster.limiter('test e-mails', 60);

  route(router, mailApi.get, async ({ caller }) => {
    rejectGuest(caller, guestMessage);
    return toSetting(await mailSettings.get(caller.id));
  });

  route(router, mailApi.set, async ({ caller, body }) => {
    rejectGuest(caller, guestMessage);
    await mailSettings.setOn(caller.id, body.isOn);
    return toSetting(await mailSettings.get(caller.id));
  });

  route(router, adminMailApi.state, async ({ caller }) => {
    const { address } = await mailSettings.get(caller.id);
    const failures = mail?.failures();
    return {
      ...(mail ? { server: mail.server, from: mail.from } : {}),
      ...(address === undefined ? {} : { address }),
      ...(failures ? { failures } : {}),
    };
  });

  route(router, adminMailApi.test, async ({ caller, language }) => {
    if (!mail) {
      throw problem('conflict', 'No mail server is configured. Set SMTP_URL and MAIL_FROM.');
    }
    const { address } = await mailSettings.get(caller.id);
    if (address === undefined) {
      throw problem(
        'conflict',
        'Your account has no e-mail address. Enter one on your page under Users.',
      );
    }
    const { count, endsAt } = await tests.add(caller.id);
    if (count > maxTests) {
      const retryAfter = Math.max(1, (endsAt.getTime() - Date.now()) / 1000);
      throw problem('too-many-requests', `At most ${maxTests} test messages a minute.`, {
        retryAfter,
      });
    }
    const result = await mail.sendTest({ name: caller.name, address, language }).then(
      () => ({}),
      (error: unknown) => ({
        failed: getErrorMessage(error),
        reason: error instanceof MailError ? error.reason : ('other' as const),
      }),
    );
    const after = { address, ...result };
    await audit.record({
      by: caller,
      action: 'mail-test',
      kind: 'settings',
      target: mail.server,
      after,
    });
    return result;
  });
}

function toSetting({ language: _, ...setting }: StoredMailSetting): MailSetting {
  return setting;
}

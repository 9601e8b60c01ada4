import type { ContentIssue } from '@knowhow/shared/config/health';
import type { Cluster } from '../../../platform/cluster/cluster.ts';
import { formatCount } from '../../../platform/lib/format-count.ts';
import { openSmtp } from '../../../platform/lib/open-smtp.ts';
import type { MailConnection } from '../../../platform/lib/smtp-address.ts';
import { sendDueMail } from './mail-sender.ts';
import { writeTest } from './write-message.ts';

/** E-mail about inboxes and reviews. */
export interface Mail {
  /** The server and the sender, for administrators; without credentials. */
  server: string;
  from: string;
  /** The number of people who wait for another attempt, and the last error. */
  failures(): MailFailures | undefined;
  /** For `/api/admin/faults`. */
  faults(): ContentIssue[];
  /** Throws the error of the mail server. */
  sendTest(to: Parameters<typeof writeTest>[0]): Promise<void>;
  /** Stops sending; a message that is being sent is aborted, and sent again after the next start. */
  stop(): Promise<void>;
}

export interface MailFailures {
  people: number;
  /** From the mail server, or about the connection to it. */
  message: string;
  /** ISO 8601, UTC. */
  at: string;
}

interface Options extends Omit<Parameters<typeof sendDueMail>[0], 'mailer' | 'minutes'> {
  cluster: Cluster;
  mail: MailConnection | undefined;
}

const topic = 'mail failures';

/** Opens the sender on one node. Undefined if no mail server is configured. */
export async function openMail({ mail, ...options }: Options): Promise<Mail | undefined> {
  if (!mail) {
    return undefined;
  }
  const { cluster, log } = options;
  const mailer = openSmtp(mail.smtp, mail.from);
  let failures: MailFailures | undefined;
  const reread = async () => {
    failures = await readFailures(options);
  };
  const rereadLater = () => {
    reread().catch((error: unknown) => log.error({ error }, 'reading failures of e-mail failed'));
  };
  const unsubscribe = cluster.subscribe(topic, rereadLater, rereadLater);
  await reread();
  const stopping = new AbortController();
  let running = Promise.resolve();
  const round = async (lost: AbortSignal) => {
    try {
      const signal = AbortSignal.any([lost, stopping.signal]);
      await sendDueMail({ ...options, mailer, minutes: mail.minutes }, signal);
      const before = JSON.stringify(failures);
      await reread();
      if (JSON.stringify(failures) !== before) {
        await cluster.publish(topic, '');
      }
    } catch (error) {
      log.error({ error }, 'sending e-mail failed');
    }
  };
  const job = cluster.oneNode('mail', '41 * * * * *', (lost) => {
    running = round(lost);
    return running;
  });
  const server = `${mail.smtp.host}:${mail.smtp.port}`;
  return {
    server,
    from: mail.from.address,
    failures: () => failures,
    faults: () =>
      failures
        ? [
            {
              path: 'SMTP_URL',
              message: `E-mail to ${formatCount(failures.people, 'person', 'people')} cannot be sent: ${failures.message}`,
              isUsed: true,
            },
          ]
        : [],
    sendTest: (to) => mailer.send(writeTest(to)),
    stop: async () => {
      job.stop();
      unsubscribe();
      stopping.abort();
      await running;
    },
  };
}

async function readFailures({
  database,
}: Pick<Options, 'database'>): Promise<MailFailures | undefined> {
  const { people } = await database
    .selectFrom('mail_failures')
    .select(({ fn }) => fn.countAll<number>().as('people'))
    .executeTakeFirstOrThrow();
  const last = await database
    .selectFrom('mail_failures')
    .select(['message', 'failed_at as at'])
    .orderBy('failed_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last && { people: Number(people), ...last };
}

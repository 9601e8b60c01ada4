import type { MailFailure } from '@knowhow/shared/access/mail';
import { createTransport } from 'nodemailer';
import { isLoopbackHost } from './is-loopback-host.ts';
import type { MailSender, SmtpServer } from './smtp-address.ts';

/** Sends plain text by SMTP. The operator has chosen the host, so it may be a private one. */
export interface Mailer {
  /**
   * Resolves once the server has accepted the message. Throws `MailRefused` if it does not take this message, and
   * other errors if the server cannot be used now. Takes at most `maxSeconds`.
   */
  send(message: MailMessage, signal?: AbortSignal): Promise<void>;
}

export interface MailMessage {
  to: { name: string; address: string };
  subject: string;
  text: string;
  /** Language tag of the text. */
  language: string;
}

/** A message was not sent. */
export class MailError extends Error {
  readonly reason: MailFailure;

  constructor(message: string, reason: MailFailure) {
    super(message);
    this.reason = reason;
  }
}

/** The server works, but refuses this recipient or message. */
export class MailRefused extends MailError {}

const maxSeconds = 30;

/** @param server where messages are handed over; a password is only sent over TLS, except on loopback */
export function openSmtp(server: SmtpServer, from: MailSender): Mailer {
  const transport = createTransport({
    ...server,
    requireTLS: !server.secure && server.auth !== undefined && !isLoopbackHost(server.host),
    connectionTimeout: 10_000,
    dnsTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    send: async ({ language, subject, ...message }, signal) => {
      const late = AbortSignal.timeout(maxSeconds * 1000);
      try {
        await transport.sendMail({
          ...message,
          from,
          subject: toLine(subject),
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
          signal: signal ? AbortSignal.any([late, signal]) : late,
        });
      } catch (error) {
        throw late.aborted ? new MailError(timedOut, 'timeout') : toRefusal(error, server.auth);
      }
    },
  };
}

const timedOut = `The server did not answer within ${maxSeconds} seconds.`;

/** One line of at most 200 characters. Titles may have line breaks, which would end a header. */
export function toLine(text: string): string {
  return text
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, 200);
}

/**
 * A reply to the recipient or the content concerns one message only, also a temporary one such as greylisting. With 421,
 * the server closes the connection.
 */
function toRefusal(error: unknown, auth: SmtpServer['auth']): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  // Without the cause: it has the reply of the server, which may repeat the password.
  const message = withoutPassword(error.message, auth);
  const { code, responseCode } = error as Error & { code?: string; responseCode?: number };
  const isAboutMessage = responseCode !== undefined && responseCode !== 421;
  return isAboutMessage && (code === 'EENVELOPE' || code === 'EMESSAGE')
    ? new MailRefused(message, 'refused')
    : new MailError(message, findReason(message, code));
}

/** @param code of nodemailer */
function findReason(message: string, code: string | undefined): MailFailure {
  if (code === 'ETLS' || /certificate|\b(?:TLS|SSL)\b/i.test(message)) {
    return 'encryption';
  }
  return (code !== undefined && reasons.get(code)) || 'other';
}

const reasons: ReadonlyMap<string, MailFailure> = new Map([
  ['EDNS', 'unreachable'],
  ['ECONNECTION', 'unreachable'],
  ['ESOCKET', 'unreachable'],
  ['ETIMEDOUT', 'timeout'],
  ['EAUTH', 'sign-in'],
  ['ENOAUTH', 'sign-in'],
  ['EENVELOPE', 'refused'],
  ['EMESSAGE', 'refused'],
]);

function withoutPassword(text: string, auth: SmtpServer['auth']): string {
  if (!auth?.pass) {
    return text;
  }
  const sent = [auth.pass, `\0${auth.user}\0${auth.pass}`];
  const forms = [auth.pass, ...sent.map((each) => Buffer.from(each).toString('base64'))];
  return forms.reduce((cleaned, form) => cleaned.replaceAll(form, '…'), text);
}

import { isMailAddress } from '@knowhow/shared/access/mail';

/** The server that takes our e-mail. */
export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the first byte, instead of STARTTLS. */
  secure: boolean;
  auth?: { user: string; pass: string };
}

export interface MailSender {
  name: string;
  address: string;
}

/** How e-mail is sent. */
export interface MailConnection {
  smtp: SmtpServer;
  from: MailSender;
  /** For how long news for a person is collected before one message is sent. */
  minutes: number;
}

interface MailVariables {
  SMTP_URL?: string | undefined;
  MAIL_FROM?: string | undefined;
  MAIL_MINUTES: number;
}

/** Undefined unless both the server and the sender are set. */
export function parseMailSettings(variables: MailVariables): MailConnection | undefined {
  const { SMTP_URL = '', MAIL_FROM = '', MAIL_MINUTES: minutes } = variables;
  const smtp = parseSmtpUrl(SMTP_URL);
  const from = parseSender(MAIL_FROM);
  return smtp && from && { smtp, from, minutes };
}

const ports = { smtp: 587, smtps: 465 };

/** Parses `smtp://` and `smtps://` addresses; undefined for anything else. */
export function parseSmtpUrl(written: string): SmtpServer | undefined {
  const [, scheme] = /^(smtps?):\/\//.exec(written) ?? [];
  // An http address is parsed more strictly than one of an unknown scheme.
  const address = written.replace('smtp', 'http');
  if (scheme === undefined || !URL.canParse(address)) {
    return undefined;
  }
  const url = new URL(address);
  if (url.pathname !== '/' || url.search || url.hash) {
    return undefined;
  }
  const secure = scheme === 'smtps';
  const auth = decodeCredentials(url);
  if (auth === null) {
    return undefined;
  }
  // The parser drops the port 80 of http and the port 443 of https.
  const port = Number(url.port) || Number(/:(80|443)\/?$/.exec(written)?.[1]) || undefined;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: port ?? (secure ? ports.smtps : ports.smtp),
    secure,
    ...(auth && { auth }),
  };
}

/** Undefined without credentials, null if they are incomplete or not percent-encoded correctly. */
function decodeCredentials({ username, password }: URL): SmtpServer['auth'] | null | undefined {
  if (username === '' && password === '') {
    return undefined;
  }
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
    return user === '' || pass === '' ? null : { user, pass };
  } catch {
    return null;
  }
}

/** Parses `address` and `Name <address>`; undefined for anything else. */
export function parseSender(written: string): MailSender | undefined {
  const [, name = '', inner] = /^([^<>\p{C}]{0,100})<([^<>]*)>$/u.exec(written.trim()) ?? [];
  const address = (inner ?? written).trim();
  return isMailAddress(address) ? { name: name.trim(), address } : undefined;
}

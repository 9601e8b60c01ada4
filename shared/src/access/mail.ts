import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** An e-mail address without display name, comment, quotes or control characters. */
export const mailAddress = z
  .string()
  .trim()
  .max(320)
  .refine(isMailAddress, 'Enter an address such as ann@example.org.');

/** Whether a text is one e-mail address, without anything around it. */
export function isMailAddress(text: string): boolean {
  return /^[^\s@\p{C}<>()[\]\\,;:"]{1,64}@[\p{L}\p{N}][\p{L}\p{N}.-]{0,249}$/u.test(text);
}

/** The address at which a user gets e-mail, and whether they want it. */
export const mailSettingSchema = z.object({
  /** Omitted if none is known. */
  address: z.string().optional(),
  /** Whether an administrator has entered the address; otherwise it is from the identity provider. */
  isSetHere: z.boolean(),
  isOn: z.boolean(),
});
export type MailSetting = z.infer<typeof mailSettingSchema>;

const setting = z.strictObject({ isOn: z.boolean() });

export const mailApi = {
  get: endpoint({
    method: 'GET',
    path: '/api/account/mail',
    access: 'user',
    summary: 'Whether the user gets e-mail about their inbox and reviews, and at which address',
    response: mailSettingSchema,
  }),
  set: endpoint({
    method: 'PUT',
    path: '/api/account/mail',
    access: 'user',
    summary: "Turns the user's e-mail on or off",
    body: setting,
    response: mailSettingSchema,
  }),
};

/**
 * `unreachable`: no connection. `timeout`: no answer in time. `sign-in`: wrong user or password. `encryption`: no TLS, or
 * a certificate that is not trusted. `refused`: the server does not take the message. `other`: anything else.
 */
const mailFailures = [
  'unreachable',
  'timeout',
  'sign-in',
  'encryption',
  'refused',
  'other',
] as const;
export type MailFailure = (typeof mailFailures)[number];

export const adminMailSchema = z.object({
  /** Host and port of the mail server, and the sender; omitted if none is configured. */
  server: z.string().optional(),
  from: z.string().optional(),
  /** The administrator's own address. */
  address: z.string().optional(),
  /** Omitted if the last attempt succeeded for everyone. */
  failures: z
    .object({
      /** How many people wait for another attempt. */
      people: z.number().int(),
      /** The last error. */
      message: z.string(),
      at: z.string(),
    })
    .optional(),
});
export type AdminMail = z.infer<typeof adminMailSchema>;

export const adminMailApi = {
  state: endpoint({
    method: 'GET',
    path: '/api/admin/mail',
    access: 'admin',
    summary: 'The mail server, and why e-mail cannot be sent',
    response: adminMailSchema,
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/admin/mail/test',
    access: 'admin',
    summary: "Sends a test message to the administrator's own address, and returns why that failed",
    response: z.object({
      /** The error of the mail server; omitted if it has accepted the message. */
      failed: z.string().optional(),
      /** The kind of the error. */
      reason: z.enum(mailFailures).optional(),
    }),
  }),
};

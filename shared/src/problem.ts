import { z } from 'zod';

/** All error codes of the API, with their HTTP status. */
const problemStatus = {
  'bad-request': 400,
  'invalid-request': 400,
  'not-signed-in': 401,
  'wrong-credentials': 401,
  'password-expired': 401,
  'second-factor-required': 401,
  'wrong-code': 401,
  forbidden: 403,
  'foreign-origin': 403,
  'not-found': 404,
  'wrong-method': 405,
  'too-slow': 408,
  'turn-running': 409,
  'turn-unread': 408,
  conflict: 409,
  'name-taken': 409,
  'read-only': 403,
  'upload-expired': 410,
  'changed-meanwhile': 412,
  'precondition-required': 428,
  'invalid-archive': 400,
  'invalid-skill': 400,
  'git-failed': 502,
  'skill-blocked': 409,
  'review-required': 403,
  'check-failed': 409,
  'too-large': 413,
  'unsupported-type': 415,
  'too-many-requests': 429,
  'quota-used-up': 429,
  internal: 500,
  'not-ready': 503,
  'not-writable': 503,
  'model-unavailable': 503,
  'model-unauthorized': 502,
  'model-not-found': 502,
  'model-rate-limited': 503,
  'model-unreachable': 502,
  'model-interrupted': 502,
  'model-garbage': 502,
  'model-empty': 502,
  'model-refused': 502,
  'model-context-full': 502,
  'model-too-large': 502,
  'model-failed': 502,
} as const;

export type ProblemCode = keyof typeof problemStatus;

export const problemCodes = Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]];

/** One issue in a request: the path (`message`, `skills.0`), the rule, and what to do. */
export const problemIssueSchema = z.object({
  path: z.string(),
  code: z.string(),
  message: z.string(),
});
export type ProblemIssue = z.infer<typeof problemIssueSchema>;

/** The body of every error response: RFC 9457 problem details, with our `code` and `issues`. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number().int(),
  code: z.string(),
  detail: z.string(),
  issues: z.array(problemIssueSchema).optional(),
});
export type ProblemBody = z.infer<typeof problemSchema>;

interface ProblemOptions {
  issues?: ProblemIssue[];
  /** Seconds after which a retry makes sense; sent as `Retry-After`. */
  retryAfter?: number;
  /** Error message of an upstream server: for administrators and the log, not in the body. */
  reason?: string | undefined;
  /** For `not-found`: the caller may know that it does not exist, so that access was not denied. */
  hidesNothing?: boolean;
  cause?: unknown;
}

/** An error for the person who caused it: a code, and a message with the next step. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly issues: ProblemIssue[] | undefined;
  readonly retryAfter: number | undefined;
  readonly reason: string | undefined;
  readonly hidesNothing: boolean;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = problemStatus[code];
    this.issues = options.issues;
    this.retryAfter = options.retryAfter;
    this.reason = options.reason;
    this.hidesNothing = options.hidesNothing ?? false;
  }

  toBody(): ProblemBody {
    return {
      type: `urn:knowhow:problem:${this.code}`,
      title: titleOf(this.code),
      status: this.status,
      code: this.code,
      detail: this.message,
      ...(this.issues ? { issues: this.issues } : {}),
    };
  }
}

/** Creates a problem to throw: `throw problem('not-found', "There is no app 'x'.")`. */
export function problem(code: ProblemCode, detail: string, options?: ProblemOptions): Problem {
  return new Problem(code, detail, options);
}

const maxIssues = 20;
const maxNameLength = 200;

/** Converts a zod error to the `issues` of a problem: the first twenty. */
export function issuesOf(error: z.ZodError): ProblemIssue[] {
  const issues: ProblemIssue[] = [];
  for (const issue of error.issues.slice(0, maxIssues)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, maxIssues)) {
        const path = nameOf([...issue.path, key]);
        const message = `Unknown field "${nameOf([key])}".`;
        issues.push({ path, code: 'unknown-field', message });
      }
    } else {
      issues.push({ path: nameOf(issue.path), code: issue.code, message: issue.message });
    }
  }
  return issues.slice(0, maxIssues);
}

/** Paths come from the client and may be as long as a body. */
function nameOf(path: PropertyKey[]): string {
  return path.join('.').slice(0, maxNameLength);
}

function titleOf(code: ProblemCode): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

import { problem } from '@knowhow/shared/problem';
import type { FailedLogins } from '../../../platform/http/failed-logins.ts';
import type { Accounts } from '../accounts.ts';
import type { Account } from '../caller.ts';
import type { CodeVerdict, SecondFactors } from '../second-factors.ts';
import { recordRefusal, type SignInAudit } from '../sign-in-audit.ts';

export interface PasswordDependencies {
  accounts: Accounts;
  failedLogins: FailedLogins;
  secondFactors: SecondFactors;
  signInAudit: SignInAudit;
}

interface Credentials {
  username: string;
  password: string;
  /** As returned by `addressBlock`. */
  address: string;
}

/**
 * Checks a password and returns its account. Counts wrong passwords towards the rate limit, but not a
 * database outage.
 *
 * @param wrong message for a wrong password
 */
export function checkPassword(
  dependencies: PasswordDependencies,
  credentials: Credentials,
  wrong = 'The current password is wrong.',
): Promise<Account> {
  return check(dependencies, credentials, wrong, async () => 'good');
}

/**
 * Checks the password and, if the account requires one, a second factor. Throws `second-factor-required`,
 * `wrong-code`.
 */
export function checkSignIn(
  dependencies: PasswordDependencies,
  { code, ...credentials }: Credentials & { code: string | undefined },
): Promise<Account> {
  const { secondFactors } = dependencies;
  return check(dependencies, credentials, 'The name or the password is wrong.', ({ id }) =>
    secondFactors.check(id, code, credentials.address),
  );
}

async function check(
  { accounts, failedLogins, signInAudit }: PasswordDependencies,
  { username, password, address }: Credentials,
  wrong: string,
  checkCode: (account: Account) => Promise<CodeVerdict>,
): Promise<Account> {
  try {
    let isWrongCode = false;
    const found = await failedLogins.attempt({ address, username }, async () => {
      const account = await accounts.checkPassword(username, password, address);
      const verdict = account && (await checkCode(account));
      isWrongCode = verdict === 'wrong';
      return isWrongCode ? undefined : account && { account, verdict };
    });
    if (isWrongCode) {
      const next = 'Enter the next code of your app, or another recovery code.';
      throw problem('wrong-code', `This code is wrong or already used. ${next}`);
    }
    if (!found) {
      throw problem('wrong-credentials', wrong);
    }
    if (found.verdict === 'missing') {
      throw problem(
        'second-factor-required',
        'Enter the code from your authenticator app, or a recovery code.',
      );
    }
    return found.account;
  } catch (error) {
    await recordRefusal(signInAudit, { username, address }, error);
    throw error;
  }
}

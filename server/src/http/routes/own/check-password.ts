import { problem } from '@knowhow/shared/problem';
import type { Accounts } from '../../../access/accounts.ts';
import type { Account } from '../../../access/caller.ts';
import type { CodeVerdict, SecondFactors } from '../../../access/second-factors.ts';
import { recordRefusal, type SignInAudit } from '../../../access/sign-in-audit.ts';
import type { FailedLogins } from '../../failed-logins.ts';

export interface PasswordDependencies {
  accounts: Accounts;
  failedLogins: FailedLogins;
  secondFactors: SecondFactors;
  signInAudit: SignInAudit;
}

interface Shown {
  username: string;
  password: string;
  /** As limits count it. */
  address: string;
}

/**
 * The account of whoever shows its password. Only what is wrong stays counted, not a database that is away.
 *
 * @param wrong what to say of a wrong password
 */
export function checkPassword(
  dependencies: PasswordDependencies,
  shown: Shown,
  wrong = 'The current password is wrong.',
): Promise<Account> {
  return check(dependencies, shown, wrong, async () => 'good');
}

/** The same with a code, where the account asks for one. Throws `second-factor-required`, `wrong-code`. */
export function checkSignIn(
  dependencies: PasswordDependencies,
  { code, ...shown }: Shown & { code: string | undefined },
): Promise<Account> {
  const { secondFactors } = dependencies;
  return check(dependencies, shown, 'The name or the password is wrong.', ({ id }) =>
    secondFactors.check(id, code, shown.address),
  );
}

async function check(
  { accounts, failedLogins, signInAudit }: PasswordDependencies,
  { username, password, address }: Shown,
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
      throw problem('wrong-code', 'This code is wrong, or has been used. Try the next one.');
    }
    if (!found) {
      throw problem('wrong-credentials', wrong);
    }
    if (found.verdict === 'missing') {
      throw problem(
        'second-factor-required',
        'Send the code of your app, or a recovery code, too.',
      );
    }
    return found.account;
  } catch (error) {
    await recordRefusal(signInAudit, { username, address }, error);
    throw error;
  }
}

/** Words in names such as `PGPASSWORD`, `GITHUB_PAT`, `AWS_ACCESS_KEY_ID`; errs on the side of caution. */
const secretName =
  /PASS|PWD|SECRET|TOKEN|CREDENTIAL|PRIVATE|CONNECTION_?STRING|DATABASE_UR[IL]|KEYS?(?:_|$)|(?:^|_)(?:PATS?|O?AUTH|DSN|JWT|CREDS?|COOKIES?|SALT|PEM|PIN|OTP|SAS)(?:_|$)/;

/** URLs with a password, phrases such as `password=…`, and prefixes of well-known keys. */
const secretValue =
  /:\/\/[^/?#\s]*@|(?:password|passwd|pwd|secret|token|key)\s*[=:]|-----BEGIN |\beyJ[\w-]{8}|\b(?:sk|pk|rk)[-_][\w-]{8}|\b(?:gh[pousr]|glpat|github_pat|xox[a-z])[-_]\w|\bAKIA[A-Z0-9]{8}|\bAIza[\w-]{8}/i;

/** Whether a variable's name indicates a secret; such variables are never filled into a file. */
export function isSecretVariable(name: string): boolean {
  return secretName.test(name);
}

/** Whether a value looks like a secret, regardless of its variable's name. */
export function isSecretValue(value: string): boolean {
  return secretValue.test(value);
}

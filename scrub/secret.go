package scrub

import "regexp"

// A rule recognizes secrets of one issuer by their form. The forms are those that
// the issuers document, so that scanners such as this one find them.
type rule struct {
	name string
	// cue is text that every such secret has, in lower case where fold is set; the
	// expression is tried there and begins with it. The first group, if there is
	// one, is the secret; else all of it is.
	cue  string
	fold bool // letters of either case
	word bool // no letter or digit stands before the cue
	form string
	ok   func(secret []byte) bool // a further condition; may be nil

	re *regexp.Regexp
}

// maxSecret is how far behind a cue a secret may reach, in bytes.
const maxSecret = 8 << 10

// rules are the secrets that are known by their form.
var rules = []rule{
	{name: "AWS access key", cue: "AKIA", word: true, form: `AKIA[0-9A-Z]{16}\b`},
	{name: "AWS access key", cue: "ASIA", word: true, form: `ASIA[0-9A-Z]{16}\b`, ok: mixed},
	{name: "AWS secret key", cue: "aws_secret", fold: true, form: `aws_secret[a-z_]*["']?\s*[:=,]\s*["']?([A-Za-z0-9/+]{40})\b`},
	{name: "GitHub token", cue: "ghp_", word: true, form: `ghp_[0-9A-Za-z]{36,}`},
	{name: "GitHub token", cue: "gho_", word: true, form: `gho_[0-9A-Za-z]{36,}`},
	{name: "GitHub token", cue: "ghs_", word: true, form: `ghs_[0-9A-Za-z]{36,}`},
	{name: "GitHub token", cue: "ghu_", word: true, form: `ghu_[0-9A-Za-z]{36,}`},
	{name: "GitHub token", cue: "ghr_", word: true, form: `ghr_[0-9A-Za-z]{36,}`},
	{name: "GitHub token", cue: "github_pat_", word: true, form: `github_pat_[0-9A-Za-z_]{22,}`},
	{name: "GitLab token", cue: "glpat-", word: true, form: `glpat-[0-9A-Za-z_-]{20,}`},
	{name: "GitLab runner token", cue: "glrt-", word: true, form: `glrt-[0-9A-Za-z_-]{20,}`},
	{name: "Slack token", cue: "xox", word: true, form: `xox[abeoprs]-[0-9A-Za-z-]{10,}`},
	{name: "Slack token", cue: "xapp-", word: true, form: `xapp-[0-9]-[0-9A-Za-z-]{10,}`},
	{name: "Slack webhook", cue: "hooks.slack.com/", form: `hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/+]{20,})`},
	{name: "Discord webhook", cue: "discord", form: `discord(?:app)?\.com/api/webhooks/([0-9]{15,}/[0-9A-Za-z_-]{40,})`},
	{name: "Teams webhook", cue: "webhook.office.com/", form: `webhook\.office\.com/webhookb2/([0-9A-Za-z@/-]{40,})`},
	{name: "Stripe key", cue: "sk_live_", word: true, form: `sk_live_[0-9A-Za-z]{16,}`},
	{name: "Stripe key", cue: "sk_test_", word: true, form: `sk_test_[0-9A-Za-z]{16,}`},
	{name: "Stripe key", cue: "rk_live_", word: true, form: `rk_live_[0-9A-Za-z]{16,}`},
	{name: "Google API key", cue: "AIza", word: true, form: `AIza[0-9A-Za-z_-]{35}`},
	{name: "Google OAuth token", cue: "ya29.", word: true, form: `ya29\.[0-9A-Za-z_-]{20,}`},
	{name: "Google OAuth secret", cue: "GOCSPX-", word: true, form: `GOCSPX-[0-9A-Za-z_-]{28}`},
	{name: "OpenAI or Anthropic key", cue: "sk-", word: true, form: `sk-(?:proj-|ant-[a-z0-9]+-|svcacct-|or-v1-)?[0-9A-Za-z_-]{20,}`, ok: mixed},
	{name: "Hugging Face token", cue: "hf_", word: true, form: `hf_[0-9A-Za-z]{30,}\b`},
	{name: "Hugging Face token", cue: "api_org_", word: true, form: `api_org_[0-9A-Za-z]{30,}\b`},
	{name: "NVIDIA API key", cue: "nvapi-", word: true, form: `nvapi-[0-9A-Za-z_-]{20,}`},
	{name: "Replicate token", cue: "r8_", word: true, form: `r8_[0-9A-Za-z]{30,}\b`},
	{name: "Groq key", cue: "gsk_", word: true, form: `gsk_[0-9A-Za-z]{30,}\b`},
	{name: "Perplexity key", cue: "pplx-", word: true, form: `pplx-[0-9A-Za-z]{30,}`},
	{name: "npm token", cue: "npm_", word: true, form: `npm_[0-9A-Za-z]{36}\b`},
	{name: "PyPI token", cue: "pypi-", word: true, form: `pypi-AgE[0-9A-Za-z_-]{40,}`},
	{name: "Docker token", cue: "dckr_pat_", word: true, form: `dckr_pat_[0-9A-Za-z_-]{20,}`},
	{name: "JSON web token", cue: "eyJ", word: true, form: `eyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{8,}`},
	{name: "private key", cue: "-----BEGIN", form: `-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-[^-])*(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----)?`},
	{name: "PuTTY key", cue: "PuTTY-User-Key-File-", form: `PuTTY-User-Key-File-[0-9][^\x00]{40,}`},
	{name: "age key", cue: "AGE-SECRET-KEY-", word: true, form: `AGE-SECRET-KEY-1[0-9A-Z]{50,}`},
	{name: "Azure storage key", cue: "accountkey=", fold: true, form: `accountkey=([A-Za-z0-9+/=]{40,})`},
	{name: "Azure shared access", cue: "sharedaccesskey=", fold: true, form: `sharedaccesskey=([A-Za-z0-9+/=]{40,})`},
	{name: "signed address", cue: "sig=", word: true, form: `sig=([A-Za-z0-9%+/_-]{40,}=*)`},
	{name: "signed address", cue: "x-amz-signature=", fold: true, form: `x-amz-signature=([0-9a-f]{64})`},
	{name: "SendGrid key", cue: "SG.", word: true, form: `SG\.[0-9A-Za-z_-]{16,}\.[0-9A-Za-z_-]{16,}`},
	{name: "Mailgun key", cue: "key-", word: true, form: `key-[0-9a-f]{32}\b`},
	{name: "Twilio key", cue: "SK", word: true, form: `SK[0-9a-f]{32}\b`},
	{name: "Telegram token", cue: ":AA", form: `:AA[0-9A-Za-z_-]{33}\b`},
	{name: "DigitalOcean token", cue: "dop_v1_", word: true, form: `dop_v1_[0-9a-f]{64}\b`},
	{name: "Databricks token", cue: "dapi", word: true, form: `dapi[0-9a-f]{32}\b`},
	{name: "Shopify token", cue: "shpat_", word: true, form: `shpat_[0-9a-fA-F]{32}\b`},
	{name: "Square token", cue: "sq0", word: true, form: `sq0(?:atp|csp)-[0-9A-Za-z_-]{22,}`},
	{name: "Dropbox token", cue: "sl.", word: true, form: `sl\.[A-Za-z0-9_-]{60,}`, ok: mixed},
	{name: "Vault token", cue: "hvs.", word: true, form: `hvs\.[0-9A-Za-z_-]{24,}`},
	{name: "Terraform token", cue: ".atlasv1.", form: `\.atlasv1\.[0-9A-Za-z_=-]{60,}`},
	{name: "Linear key", cue: "lin_api_", word: true, form: `lin_api_[0-9A-Za-z]{32,}`},
	{name: "New Relic key", cue: "NRAK-", word: true, form: `NRAK-[0-9A-Z]{27}\b`},
	{name: "Grafana token", cue: "glsa_", word: true, form: `glsa_[0-9A-Za-z]{32}_[0-9a-fA-F]{8}`},
	{name: "Postman key", cue: "PMAK-", word: true, form: `PMAK-[0-9a-f]{24}-[0-9a-f]{34}`},
	{name: "Doppler token", cue: "dp.", word: true, form: `dp\.(?:pt|st|ct|sa)\.[0-9A-Za-z._-]{40,}`},
	{name: "Notion token", cue: "ntn_", word: true, form: `ntn_[0-9A-Za-z]{40,}`},
	{name: "Weights & Biases key", cue: "wandb", fold: true, form: `wandb[a-z_]*["']?\s*[:=,]\s*["']?([0-9a-f]{40})\b`},
	{name: "password in an address", cue: "://", form: `://[^\s:/@"'<>\x00]{1,128}:([^\s/@"'<>\x00]{3,256})@[A-Za-z0-9.\[-]`},
	{name: "authorization header", cue: "bearer ", fold: true, word: true, form: `bearer ([0-9A-Za-z._~+/-]{16,}=*)`, ok: mixed},
	{name: "authorization header", cue: "basic ", fold: true, word: true, form: `basic ([0-9A-Za-z+/]{12,}=*)(?:[^0-9A-Za-z+/=]|$)`, ok: mixed},
	{name: "netrc password", cue: "machine ", fold: true, word: true, form: `machine \S+\s+login \S+\s+password (\S{3,})`},
	{name: "password argument", cue: "--pass", form: `--pass(?:word|wd|phrase)?[= ]["']?([^\s"'\x00]{3,})`},
}

// assignments are words that tell that a secret follows them, behind = or :.
var assignments = []rule{
	{name: "password", cue: "passw", fold: true, form: `passw(?:or)?d["']?\s*[:=]\s*["']?([^\s"',;&\x00]{3,256})`, ok: notPlaceholder},
	{name: "password", cue: "passphrase", fold: true, form: `passphrase["']?\s*[:=]\s*["']?([^\s"',;&\x00]{3,256})`, ok: notPlaceholder},
	{name: "password", cue: "pgpass", fold: true, form: `pgpass[a-z]*["']?\s*[:=]\s*["']?([^\s"',;&\x00]{3,256})`, ok: notPlaceholder},
	{name: "secret assigned", cue: "secret", fold: true, form: `secret(?:[_-]?(?:access)?[_-]?key)?(?:[_-]?id)?["']?\s*[:=]\s*["']?([^\s"',;&\x00]{8,512})`, ok: mixed},
	{name: "token assigned", cue: "token", fold: true, form: `token["']?\s*[:=]\s*["']?([^\s"',;&()<>\[\]{}\x00]{12,512})`, ok: mixed},
	{name: "key assigned", cue: "api_key", fold: true, form: `api_key["']?\s*[:=]\s*["']?([^\s"',;&\x00]{8,512})`, ok: mixed},
	{name: "key assigned", cue: "apikey", fold: true, form: `apikey["']?\s*[:=]\s*["']?([^\s"',;&\x00]{8,512})`, ok: mixed},
	{name: "key assigned", cue: "api-key", fold: true, form: `api-key["']?\s*[:= ]\s*["']?([^\s"',;&\x00]{8,512})`, ok: mixed},
	{name: "key assigned", cue: "access_key", fold: true, form: `access_key(?:_id)?["']?\s*[:=]\s*["']?([^\s"',;&\x00]{8,512})`, ok: mixed},
	{name: "key assigned", cue: "private_key", fold: true, form: `private_key["']?\s*[:=]\s*["']?([^\s"',;&\x00]{8,512})`, ok: mixed},
	{name: "credential assigned", cue: "credential", fold: true, form: `credentials?["']?\s*[:=]\s*["']?([^\s"',;&\x00]{8,512})`, ok: mixed},
	{name: "cookie", cue: "cookie:", fold: true, form: `cookie:\s*([^\r\n\x00]{8,1000})`, ok: mixed},
}

// compiled is the rule with its expression.
func (r rule) compiled() *rule {
	form := `^(?:` + r.form + `)`
	if r.fold {
		form = `(?i)` + form
	}
	r.re = regexp.MustCompile(form)
	return &r
}

// try returns the secret that begins at or behind the cue at b[at:].
func (r *rule) try(b []byte, at int) (start, end int, ok bool) {
	if r.word && at > 0 && isAlnum[b[at-1]] {
		return 0, 0, false
	}
	m := r.re.FindSubmatchIndex(b[at:min(len(b), at+maxSecret)])
	if m == nil {
		return 0, 0, false
	}
	start, end = m[0], m[1]
	if len(m) > 2 && m[2] >= 0 {
		start, end = m[2], m[3]
	}
	start, end = at+start, at+end
	if clean(b[start:end]) || r.ok != nil && !r.ok(b[start:end]) {
		return 0, 0, false
	}
	return start, end, true
}

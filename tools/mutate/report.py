"""What is said of the mutants that were tried: on the terminal, and in a file of JSON."""

import json

from judge import UNKNOWN

ENOUGH = 0.9  # of the mutants are to be killed


def say(line):
    print(line, flush=True)


def line_of(site):
    return f"{site.id}  {site.where:46} {site.kind:10} {site.change}"


def report_unreached(sites, reached):
    left = [site for site in sites if site.number not in reached]
    for site in sorted(left, key=lambda site: (site.path, site.start)):
        say(line_of(site))
    say(f"{len(left)} of {len(sites)} sites that no test reaches")
    return 0


def report(verdicts, path):
    survivors = [v for v in verdicts if not v.killed_by]
    killed = len(verdicts) - len(survivors)
    if path:
        path.write_text(json.dumps({
            "mutants": len(verdicts), "killed": killed,
            "survivors": [{"id": v.site.id, "where": f"{v.site.where} {v.site.kind}: {v.site.change}", "reason": v.reason}
                          for v in survivors]}, indent=1, ensure_ascii=False) + "\n")
    for verdict in survivors:
        say(f"survived  {line_of(verdict.site)}\n          {verdict.reason}")
    unknown = sum(verdict.reason.startswith(UNKNOWN) for verdict in survivors)
    if unknown:
        say(f"{unknown} of {len(survivors)} survivors without a known reason")
    for kind in sorted({v.site.kind for v in verdicts}):
        of_kind = [v for v in verdicts if v.site.kind == kind]
        say(f"{kind:12} {sum(bool(v.killed_by) for v in of_kind):3} of {len(of_kind):3} killed")
    share = killed / len(verdicts) if verdicts else 0
    say(f"{killed} of {len(verdicts)} mutants killed, {100 * share:.1f} %")
    return 0 if share >= ENOUGH else 1

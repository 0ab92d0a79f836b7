package mcp

import (
	"context"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// prompts are questions to begin with. NAME in a text stands for an argument.
var prompts = []struct {
	name, title, help string
	arguments         []*sdk.PromptArgument
	text              string
}{
	{"slow_kernel", "Why is this kernel slow?", "From the finding to the line of one kernel.",
		[]*sdk.PromptArgument{{Name: "file", Description: "kernel report", Required: true}, {Name: "kernel", Description: "its name; none: the longest"}},
		`Why is the kernel {kernel} in {file} slow?
1. open the file, then kernels: which launch takes most time? Without a name take that one.
2. findings of that kernel: the global ones with saves[ns] first. Name the evidence of each.
3. metrics that the finding rests on, and what limits occupancy: regex:^launch__occupancy_limit.
4. source: the hottest line, then at that line the instructions with their stall reasons.
Answer with: the kernel and its time in ms, the limiter with its numbers, the line, one change, what it may save, and how to check it with compare. Say what the profile does not tell.`},
	{"what_changed", "What changed?", "Compare two versions with care for noise.",
		[]*sdk.PromptArgument{{Name: "old", Description: "reports before, set apart by blanks", Required: true}, {Name: "new", Description: "reports behind", Required: true}},
		`What changed from {old} to {new}?
1. compare them: read the verdict and every warning before the numbers. One run a side cannot tell a change from noise; other clocks, GPUs or drivers are no change of the code.
2. For the kernels that moved most, in ns rather than in percent: metrics of both sides, and findings of the new one.
Answer with: the verdict, the total in ms before and behind, the kernels that moved with time and cause, and how many runs a side would decide where it is not clear.`},
	{"slow_rank", "Which rank is slow?", "Find the straggler of a distributed run.",
		[]*sdk.PromptArgument{{Name: "files", Description: "reports of all ranks, a folder or a pattern", Required: true}},
		`Which rank of {files} is slow, since when, and why?
1. timeline with what=ranks: read the sentences first, and which ranks are missing or cut.
2. timeline with what=steps for the slow rank and for one of the others: compare compute, exposed communication and idle of the same steps.
3. sql or timeline with what=stats in the window of a slow step for the cause.
Answer with: the rank, the step it begins at, ms per step against the others, the cause with its evidence, and what is uncertain.`},
}

// mostArgument bounds an argument of a prompt.
const mostArgument = 2000

func addPrompts(to *sdk.Server) {
	for _, p := range prompts {
		to.AddPrompt(&sdk.Prompt{Name: p.name, Title: p.title, Description: p.help, Arguments: p.arguments},
			func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
				text := p.text
				for _, a := range p.arguments {
					v := req.Params.Arguments[a.Name]
					if v = strconv.Quote(v[:min(len(v), mostArgument)]); req.Params.Arguments[a.Name] == "" {
						v = "(not named)"
					}
					text = strings.ReplaceAll(text, "{"+a.Name+"}", v)
				}
				return &sdk.GetPromptResult{Description: p.help, Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: text}}}}, nil
			})
	}
}

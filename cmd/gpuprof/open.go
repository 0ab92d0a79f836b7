package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/gpuprof/gpuprof/internal/atomicfile"
	"github.com/gpuprof/gpuprof/page"
	"github.com/gpuprof/gpuprof/terminal"
	"github.com/gpuprof/gpuprof/web"
)

// viewerCommands are the commands that show pages in a browser.
func viewerCommands(a *terminal.App) []*cobra.Command {
	return []*cobra.Command{openCommand(a), exportCommand(a)}
}

func openCommand(a *terminal.App) *cobra.Command {
	c := &cobra.Command{
		GroupID: page.GroupRead,
		Use:     "open [options] [FILE...]", Short: "Show profiles in a browser, offline",
		Long: `Show profiles in a browser.

A server on this machine shows them until it is interrupted. It takes requests of
your own programs on this machine only, with the token in the address that it
prints, and reads no file but those named, those dropped on its window, and those that you
opened before, which its start page lists. Files, sections and rules are read anew
when they change. Ctrl-C ends it.

The list of files opened before is gpuprof/recent.json in the folder of your
configuration; with --no-recent, or with GPUPROF_NO_RECENT set, there is none.

Links that the viewer copies lead to the viewer that runs when they are opened,
through a page in a folder that only you can read. --keep-address also keeps port
and token, in the same folder, for tabs that stay open and for ssh -L; on a machine
with users whom you do not trust, leave it.`,
		Example:               "  gpuprof open report.ncu-rep\n  gpuprof open --no-browser --addr 127.0.0.1:8080 before.ncu-rep after.ncu-rep",
		DisableFlagsInUseLine: true,
	}
	addr := c.Flags().String("addr", "127.0.0.1:0", "listen on this loopback `ADDRESS`; port 0 takes a free one")
	quiet := c.Flags().Bool("no-browser", false, "only print the address")
	forget := c.Flags().Bool("no-recent", false, "neither remember nor list the files that were opened")
	o := web.Options{Pages: a.Pages}
	c.Flags().BoolVar(&o.KeepAddress, "keep-address", false, "take the port and the token of the run before, so that open tabs and bookmarks go on")
	c.Flags().BoolVar(&o.OtherUsers, "allow-other-users", false, "answer other users of this machine too, if they have the address")
	c.Flags().StringArrayVar(&o.Sections, "section-folder", nil, "use the section files and rules of `DIR`; repeat for more, the first is the nearest")
	c.Flags().StringArrayVar(&o.SectionsBelow, "section-folder-recursive", nil, "the same, with the folders below `DIR`")
	a.UnpackFlag(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		o.MaxUnpacked = int64(a.MaxUnpacked)
		if base, err := os.UserConfigDir(); err == nil && !*forget && os.Getenv("GPUPROF_NO_RECENT") == "" {
			o.Recent = filepath.Join(base, "gpuprof", "recent.json")
		}
		if folder, err := web.StateFolder(); err == nil {
			o.State = folder
		}
		terminal.TuneGC(args, pagesRoom)
		s, err := web.ListenWith(c.Context(), *addr, args, o)
		if err != nil {
			if errors.Is(err, web.ErrPort) {
				return err
			}
			return page.Usagef("open: %v", err)
		}
		fmt.Fprintln(a.Stdout, s.URL())
		if !*quiet {
			if err := browse(s); err != nil {
				fmt.Fprintf(a.Stderr, "gpuprof: no browser was started (%v); open the address above\n", err)
			}
		}
		fmt.Fprintln(a.Stderr, "gpuprof: Ctrl-C ends the viewer")
		return s.Serve(c.Context())
	}
	return c
}

// pagesRoom is what the pages of a viewer may take beside files, bytes.
const pagesRoom = 256 << 20

func exportCommand(a *terminal.App) *cobra.Command {
	c := &cobra.Command{
		GroupID: page.GroupInfo,
		Use:     "export [options] FILE...", Short: "Write what 'open' shows as one HTML file that needs no server",
		Example: "  gpuprof export -o report.html report.ncu-rep", Args: cobra.MinimumNArgs(1), DisableFlagsInUseLine: true,
	}
	out := c.Flags().StringP("output", "o", "report.html", "write to `FILE`")
	var room terminal.Size
	c.Flags().Var(&room, "timeline-size", "give a timeline up to `SIZE` bytes, such as 16M: the more, the shorter are slices that can still be told apart (default: 4M)")
	q := page.Request{}
	terminal.ReplaceFlag(c.Flags(), &q.Replace, "f")
	a.UnpackFlag(c.Flags())
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := page.Overwrites(*out, args); err != nil {
			return err
		}
		if err := q.Fresh(*out); err != nil {
			return err
		}
		terminal.TuneGC(args, pagesRoom)
		err := atomicfile.Write(*out, func(f *atomicfile.File) error {
			w := bufio.NewWriterSize(f, 1<<18)
			err := web.Export(c.Context(), w, args, web.Options{MaxUnpacked: int64(a.MaxUnpacked), TimelineBytes: int64(room)})
			var writing *web.WriteError
			switch {
			case err == nil:
				return w.Flush()
			case c.Context().Err() != nil:
				return c.Context().Err()
			case errors.As(err, &writing):
				return err
			}
			return page.Unread(err)
		})
		if err == nil || c.Context().Err() != nil || errors.Is(err, page.ErrInput) {
			return err
		}
		return page.Unwritten(err)
	}
	return c
}

// browse starts the user's browser.
func browse(s *web.Server) error {
	url, err := s.Entry()
	if err != nil {
		return err
	}
	name, args := "xdg-open", []string{url}
	switch runtime.GOOS {
	case "darwin":
		name = "open"
	case "windows":
		name, args = "rundll32", []string{"url.dll,FileProtocolHandler", url}
	}
	cmd := exec.Command(name, args...)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // so that no zombie stays; its status says nothing of use
	return nil
}

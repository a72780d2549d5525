#!/bin/sh
# What go vet says of the packages in the folders $FOLDERS of a copy of Go's own sources, which is the current folder.
#
# The copy becomes the sources of a GOROOT beside it, with what the Go on the path has generated, and with its tools.
set -e
installed=$(go env GOROOT)
root=$(dirname "$PWD")/goroot
rm -rf "$root/src"
mkdir -p "$root/pkg"
cp -r . "$root/src"
(cd "$installed/src" && find . -name 'z*.go' \( -name 'zversion.go' -o -name 'zbootstrap.go' -o -name 'zcgo.go' \
    -o -name 'zdefaultcc.go' -o -name 'zosarch.go' \) -exec cp --parents {} "$root/src" \;)
ln -sfn "$installed/bin" "$root/bin"
ln -sfn "$installed/VERSION" "$root/VERSION"
for name in tool include; do ln -sfn "$installed/pkg/$name" "$root/pkg/$name"; done
export GOROOT="$root" GOPROXY=off GOFLAGS= CGO_ENABLED=0
cd "$root/src"
for folder in $FOLDERS; do go list -f '{{.ImportPath}}' "$folder" 2>/dev/null || true; done | sort -u >"$root/packages"
echo "vetted packages: $(wc -l <"$root/packages")" >&2
xargs go vet <"$root/packages" 2>&1 | sed 's/^/error: /'
